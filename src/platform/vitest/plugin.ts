/** The plugin: the modules of the platform for Vite, its resolution of packages, and the pool that runs the tests. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Vite, VitestPluginContext } from 'vitest/node';
import { ruleOf, writeFileModule } from './modules/file-modules.ts';
import { writePlatformModule } from './modules/platform-sources.ts';
import { cloudflarePool } from './pool.ts';
import type { CloudflareTestOptions } from './runs.ts';
import { defaultModuleRules } from './modules/rules.ts';

const prefix = '\0gatehouse:';
const setupFile = fileURLToPath(new URL(`./thread/setup-file${extname(import.meta.url)}`, import.meta.url));

/** Resolves packages for Workers as Wrangler's bundler does. */
const conditions = ['workerd', 'worker', 'module', 'browser', 'development|production'];
const mainFields = ['browser', 'module', 'jsnext:main', 'jsnext'];

export function cloudflareTest(options: CloudflareTestOptions): Vite.Plugin & VitestHooks {
  return {
    name: 'gatehouse/vitest',
    enforce: 'pre',
    configureVitest({ project }: VitestPluginContext) {
      project.config.poolRunner = cloudflarePool(options, project);
      project.config.pool = 'gatehouse';
    },
    config(config: Vite.UserConfig) {
      const test = ((config as { test?: TestConfig }).test ??= {});
      test.setupFiles = [setupFile, ...[test.setupFiles ?? []].flat()];
      test.server = { ...test.server, deps: { ...test.server?.deps, inline: true } };
      return {
        resolve: { conditions, mainFields },
        ssr: { target: 'webworker', resolve: { conditions } },
      };
    },
    resolveId(id: string) {
      return id.startsWith('cloudflare:') ? `${prefix}${id}` : undefined;
    },
    async load(id: string) {
      if (id.startsWith(prefix)) return writePlatformModule(id.slice(prefix.length));
      const type = ruleOf(id, defaultModuleRules);
      return type === undefined ? undefined : await writeFileModule(id, type);
    },
  };
}

interface VitestHooks {
  configureVitest(context: VitestPluginContext): void;
}

/** The part of Vitest's own configuration that the plugin changes. */
interface TestConfig {
  setupFiles?: string | string[];
  server?: { deps?: { inline?: unknown } };
}

/** The plugin: the modules of the platform for Vite, its resolution of packages, and the pool that runs the tests. */
import { extname, basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Vite, VitestPluginContext } from 'vitest/node';
import { cloudflarePool } from './pool.ts';
import type { CloudflareTestOptions } from './runs.ts';
import { readFile } from 'node:fs/promises';
import { findRule, type RuleType, platformModuleNames, completeRules } from '#workers';
import { tableExpression } from './registry.ts';
import { refusedTestNames, testModuleNames } from './modules/module-names.ts';

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

/** Files that become modules by Wrangler's rules: WebAssembly, text and bytes. */
type Rules = Parameters<typeof findRule>[0];

/** The rule of a file; undefined for code, and for queries that Vite handles itself (`?raw`). */
function ruleOf(id: string, rules: Rules): RuleType | undefined {
  const [path, query] = id.split('?', 2);
  if (query !== undefined && query !== 'module') return undefined;
  const type = findRule(rules, basename(path!))?.type ?? findRule(rules, path!.replace(/^\//, ''))?.type;
  return type === 'CompiledWasm' || type === 'Text' || type === 'Data' ? type : undefined;
}

/** The source of a module that exports the content of the file. */
async function writeFileModule(id: string, type: RuleType): Promise<string> {
  const file = id.split('?', 1)[0]!;
  if (type === 'Text') return `export default ${JSON.stringify(await readFile(file, 'utf8'))};`;
  const bytes = `readFileSync(${JSON.stringify(file)})`;
  const value =
    type === 'CompiledWasm' ? `new WebAssembly.Module(${bytes})` : `Uint8Array.from(${bytes}).buffer`;
  return `import { readFileSync } from "node:fs";\nexport default ${value};`;
}

/** The source of the platform's modules, as Vite serves them to tests and to the Worker under test. */
const testNames = [...testModuleNames, ...Object.keys(refusedTestNames)];

/** Undefined if the platform has no module of this name. */
function writePlatformModule(name: string): string | undefined {
  if (!name.startsWith('cloudflare:')) return undefined;
  const names = name === 'cloudflare:test' ? testNames : platformModuleNames.get(name);
  if (names === undefined)
    return `throw new Error(${JSON.stringify(`${name} is a part of the platform that Gatehouse does not have`)});`;
  const table = `${tableExpression}[${JSON.stringify(name)}]`;
  return names.map((each) => `export const ${each} = ${table}.${each};`).join('\n');
}

/** Wrangler's rules; those of a configuration are not known when Vite starts. */
const defaultModuleRules = completeRules([]);

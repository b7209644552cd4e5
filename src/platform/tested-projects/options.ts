/**
 * The options of `cloudflareTest()` of `@cloudflare/vitest-plugin`, parsed into plain data that can be passed to
 * another thread: functions become numbers. Unsupported options are refused by name.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject } from '#base';
import { didYouMean } from '#text';
import { ConfigError, readInlineConfig, readWorkerConfig, type WorkerConfig } from '#workers';
import { buildAuxiliary } from './auxiliary-worker.ts';
import { FunctionTable } from './function-table.ts';
import { type MiniflareOptions, readMiniflare } from './miniflare-options.ts';
import type { WorkerSetup } from './worker-setup.ts';

export interface TestProjectOptions {
  /** The main module of the Worker under test; by default `main` of the configuration. */
  readonly main?: string;
  /** The configuration of the Worker. */
  readonly wrangler?: { readonly configPath?: string; readonly environment?: string };
  /** Bindings and Workers in addition to those of the configuration, with Miniflare's names. */
  readonly miniflare?: MiniflareOptions & { readonly workers?: readonly MiniflareOptions[] };
  /** Accepted for projects that use it, but not needed: exports are known here. */
  readonly additionalExports?: Readonly<Record<string, string>>;
  /** Bindings are always local. */
  readonly remoteBindings?: boolean;
  readonly verbose?: boolean;
}

/** A project as plain data. */
export interface TestSetup {
  /** The first is the Worker under test. */
  readonly workers: readonly WorkerSetup[];
  /** Whether the Worker under test has a main module. */
  readonly hasMain: boolean;
  readonly warnings: readonly string[];
}

const knownOptions = ['main', 'wrangler', 'miniflare', 'additionalExports', 'remoteBindings', 'verbose'];
const removedOptions: Readonly<Record<string, string>> = {
  isolatedStorage: 'storage is that of one test file; call reset() of cloudflare:test between tests',
  singleWorker: 'set isolate: false in the configuration of Vitest',
  experimental: 'cloudflare.config.ts is not read; name a wrangler.jsonc in wrangler.configPath',
};

export async function readOptions(
  options: TestProjectOptions,
  { root, functions }: { readonly root: string; readonly functions: FunctionTable },
): Promise<TestSetup> {
  checkOptions(options);
  const { workers: auxiliaries = [], ...own } = options.miniflare ?? {};
  const { extra, ...rest } = readMiniflare(own, { shown: 'miniflare', functions });
  const config = readMain(options, { root, extra });
  const others = await Promise.all(
    auxiliaries.map((each, index) =>
      buildAuxiliary(each, { root, functions, shown: `miniflare.workers[${index}]` }),
    ),
  );
  const workers = [
    { ...rest, config: overrideConsumers(config, rest.consumers), modules: undefined },
    ...others,
  ];
  return {
    workers,
    hasMain: config.main !== absentMain,
    warnings: [...new Set(workers.flatMap((worker) => worker.config.warnings))],
  };
}

/** The name of the Worker under test if it has no configuration: no other Worker has this name. */
const runnerName = 'gatehouse-test-runner';
/** Represents a main module that no option names. */
const absentMain = join(import.meta.dirname, 'no-main');

function readMain(
  { main, wrangler }: TestProjectOptions,
  { root, extra }: { readonly root: string; readonly extra: Readonly<Record<string, unknown>> },
): WorkerConfig {
  const path = wrangler?.configPath;
  const named = main === undefined ? {} : { main: resolve(root, main) };
  if (path === undefined) {
    const raw = { name: runnerName, main: absentMain, ...extra, ...named };
    return checkMain(readInlineConfig(raw, { shown: 'cloudflareTest()', directory: root }));
  }
  const file = resolve(root, path);
  if (!existsSync(file)) {
    throw new ConfigError(
      `cloudflareTest({ wrangler: { configPath: ${JSON.stringify(path)} } }) names a file that does not exist: ${file}. ` +
        'Correct the path; it is relative to the root of the Vitest project',
    );
  }
  return checkMain(
    readWorkerConfig({ path: file, environment: wrangler?.environment, extra: { ...extra, ...named } }),
  );
}

function checkMain(config: WorkerConfig): WorkerConfig {
  if (config.main === absentMain || existsSync(config.main)) return config;
  throw new ConfigError(
    `the main module of the Worker does not exist: ${config.main}. Correct main in ${config.file ?? 'cloudflareTest()'}`,
  );
}

/** Overrides settings of a queue's consumer in the configuration. */
function overrideConsumers(config: WorkerConfig, consumers: WorkerSetup['consumers']): WorkerConfig {
  const { queueConsumers } = config.declared;
  const kept = queueConsumers.filter(({ queue }) => !consumers.some((each) => each.queue === queue));
  const changed = consumers.map((each) => {
    const declared = queueConsumers.find(({ queue }) => queue === each.queue);
    return { ...each, ...declared, ...each.given };
  });
  return { ...config, declared: { ...config.declared, queueConsumers: [...kept, ...changed] } };
}

function checkOptions(options: unknown): asserts options is TestProjectOptions {
  if (!isObject(options))
    throw new ConfigError('cloudflareTest() takes an object, or a function that returns one');
  for (const [name, value] of Object.entries(options)) {
    const removed = removedOptions[name];
    if (removed !== undefined)
      throw new ConfigError(`cloudflareTest({ ${name} }) is not supported: ${removed}`);
    if (!knownOptions.includes(name))
      throw new ConfigError(
        `cloudflareTest({ ${name} }) is not supported by Gatehouse${didYouMean(name, knownOptions)}; supported: ${knownOptions.join(', ')}`,
      );
    if ((name === 'wrangler' || name === 'miniflare') && !isObject(value))
      throw new ConfigError(`cloudflareTest({ ${name} }) must be an object`);
  }
}

/**
 * Runs and serves Workers-style modules: `gatehouse dev` uses it for a `wrangler.jsonc`, a `wrangler.toml` or a bare
 * module.
 *
 * ```ts
 * useLightFetch();
 * const worker = await Worker.start({ path: 'examples', watch: true, log: console });
 * const server = await serveHttp({ fetch: (request) => worker.fetch(request), port: 8787 });
 * console.log(server.url); // http://127.0.0.1:8787
 * await server.close({ graceMs: 5_000 });
 * ```
 *
 * A project is built as Wrangler builds it (`buildProjects`), and its modules run unmodified: `cloudflare:workers`
 * resolves to our classes, and each unsupported part of the platform is reported with a clear message and omitted. A
 * bare module without a configuration gets a binding for each exported class that extends `DurableObject`, under the
 * name of the class, with SQL storage.
 *
 * `useLightFetch` is called once at the start of a program that serves: it replaces the global `Request`, `Response`
 * and `fetch` by equivalent ones that create the expensive parts (streams, headers) only on access. `serveHttp` works
 * without it, at about half the speed.
 */
export { AssetFiles } from './workers/assets/asset-files.ts';
export { ConfigError } from './workers/config/config-error.ts';
export {
  findProject,
  readConfig as readWorkerConfig,
  readInlineConfig,
} from './workers/config/config-file.ts';
export { completeRules, findRule, type RuleType } from './workers/config/build/module-rules.ts';
export type { WorkerConfig } from './workers/config/worker-config.ts';
export type { WorkerModules } from './workers/build/worker-modules.ts';
export { defineBindings, wrapClassicScript } from './workers/build/classic-script.ts';
export { rewriteGlobals } from './workers/build/rewrite-globals.ts';
export { limitOutbound } from './workers/outbound/limit-outbound.ts';
export type { OutboundOptions } from './workers/outbound/outbound-rules.ts';
export { prepareWorkerProcess } from './workers/prepare-process.ts';
export { buildConfigured, type BuiltProject, buildProjects, type ProjectSource } from './workers/project.ts';
export { exportWorkerObjects } from './workers/object-process.ts';
export type { WorkerHosts, WorkerLog, WorkerOptions } from './workers/options.ts';
export type { WorkerExports } from './workers/entry.ts';
export { describeError, isThrownByWorker } from './workers/errors/describe-error.ts';
export { useSourceMaps } from './workers/errors/uploaded-maps.ts';
export { ReportedErrors } from './workers/errors/reported-errors.ts';
export { type HttpServer, type ServedRequest, serveHttp } from './workers/serve/http-server.ts';
export { useLightFetch } from './workers/serve/light-fetch.ts';
export { readEdgeVisitor, type ReadVisitor, readVisitorBehind } from './workers/serve/visitor.ts';
export { clockPath, serveClock } from './workers/serve/virtual-time.ts';
export { Cron } from './workers/triggers/cron.ts';
export { forgetBundler } from './workers/build/esbuild.ts';
export { describeFetch, followCalls, recordCall, type RecordedCall } from './workers/tail/recorded-calls.ts';
export { loadSimulatedModule } from './workers/modules/simulated-modules.ts';
export { serveScheduled } from './workers/triggers/scheduled-route.ts';
export { BackgroundWork } from './workers/background.ts';
export { ExecutionContext } from './workers/entry.ts';
export { createPlatformModules, platformModuleNames } from './workers/under-test/platform-modules.ts';
export {
  createScheduledController,
  type ScheduledOptions,
} from './workers/under-test/scheduled-controller.ts';
export { type QueueResult, type SentMessage, TestBatch } from './workers/under-test/handmade-batch.ts';
export type { Answer, ModuleExports, TestedWorker } from './workers/under-test/tested-code.ts';
export { TestWorkers, type TestWorkersOptions } from './workers/under-test/tested-workers.ts';
export { Worker } from './workers/worker.ts';
export { bucketDirectory } from './workers/worker-objects.ts';

/**
 * Running Workers-style modules: what `gatehouse dev` does with a `wrangler.jsonc`, a `wrangler.toml` or a bare module.
 *
 * ```ts
 * const worker = await Worker.start({ path: 'examples', watch: true, log: console });
 * await serveHttp({ fetch: (request) => worker.fetch(request), port: 8787 });
 * ```
 *
 * A module runs unmodified: `cloudflare:workers` resolves to our classes, TypeScript needs no build, and what belongs
 * to the rest of the platform (queues, KV namespaces, crons …) is named with a clear message and left out.
 * A bare module without a configuration gets a binding for each exported class that extends
 * `DurableObject`, under the name of the class, with SQL storage.
 */
export { ConfigError } from './workers/config/config-error.ts';
export type { WorkerLog, WorkerOptions } from './workers/options.ts';
export { Worker } from './workers/worker.ts';

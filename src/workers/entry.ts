/** The default export of a Worker, whatever its form, as functions that answer requests and take messages of queues. */
import type { MessageBatch } from '#bindings';
import type { BackgroundWork } from './background.ts';
import { platformHandlers } from './config/platform-keys.ts';

/** What a handler gets as its third argument. */
export class ExecutionContext {
  readonly props = {};
  readonly exports: Readonly<Record<string, unknown>>;
  readonly #background: BackgroundWork;

  constructor(background: BackgroundWork, exports: Readonly<Record<string, unknown>>) {
    this.#background = background;
    this.exports = exports;
  }

  waitUntil(promise: unknown): void {
    this.#background.add(promise);
  }

  /** There is no origin server behind a Worker here to pass a request on to: an exception is an error. */
  passThroughOnException(): void {}
}

export type EntryHandler = (
  request: Request,
  env: unknown,
  context: ExecutionContext,
) => Response | Promise<Response>;

type Fetch = (this: unknown, ...args: unknown[]) => Response | Promise<Response>;

export function entryHandler(defaultExport: unknown): EntryHandler {
  if (typeof defaultExport === 'function') {
    const Entrypoint = defaultExport as new (context: ExecutionContext, env: unknown) => { fetch?: Fetch };
    return (request, env, context) => {
      const instance = new Entrypoint(context, env);
      return callFetch(instance, instance.fetch, [request]);
    };
  }
  const handlers = (defaultExport ?? {}) as { readonly fetch?: Fetch };
  return (request, env, context) => callFetch(handlers, handlers.fetch, [request, env, context]);
}

type TakeBatch = (this: unknown, ...args: unknown[]) => unknown;

/** Takes a batch of messages; what it rejects with has failed. */
export type QueueHandler = (batch: MessageBatch, env: unknown, context: ExecutionContext) => Promise<void>;

export function queueHandler(defaultExport: unknown): QueueHandler {
  return async (batch, env, context) => {
    if (typeof defaultExport === 'function') {
      const Entrypoint = defaultExport as new (
        context: ExecutionContext,
        env: unknown,
      ) => { queue?: TakeBatch };
      const instance = new Entrypoint(context, env);
      await requireQueue(instance.queue).call(instance, batch);
    } else {
      const handlers = (defaultExport ?? {}) as { readonly queue?: TakeBatch };
      await requireQueue(handlers.queue).call(handlers, batch, env, context);
    }
  };
}

function requireQueue(queue: TakeBatch | undefined): TakeBatch {
  if (typeof queue !== 'function') throw new TypeError('Handler does not export a queue() function.');
  return queue;
}

function callFetch(self: unknown, fetch: Fetch | undefined, args: unknown[]): Response | Promise<Response> {
  if (typeof fetch !== 'function') throw new TypeError('Handler does not export a fetch() function.');
  return fetch.apply(self, args);
}

/** What a default export offers that nothing here will call. */
export function entryWarnings(defaultExport: unknown, main: string): string[] {
  const handlers = typeof defaultExport === 'function' ? defaultExport.prototype : defaultExport;
  if (typeof handlers !== 'object' || handlers === null) {
    return [`${main} has no default export: every request will be answered with an error`];
  }
  const warnings = Object.entries(platformHandlers)
    .filter(([name]) => name in handlers)
    .map(([name, scope]) => `${main} exports ${name}(), which is never called: Gatehouse has no ${scope}`);
  if (!('fetch' in handlers)) {
    warnings.push(`${main} exports no fetch(): every request will be answered with an error`);
  }
  return warnings;
}

/** The exports of a Worker, whatever its form, as functions that are called with one event each. */
import type { MessageBatch } from '#bindings';
import type { BackgroundWork } from './background.ts';
import { tracing } from './modules/cloudflare-workers.ts';
import { platformHandlers } from './config/platform-keys.ts';

export interface ContextParts {
  readonly background: BackgroundWork;
  readonly exports: Readonly<Record<string, unknown>>;
  /** The caller's properties from the binding. */
  readonly props?: object;
}

/** The third argument of a handler. */
export class ExecutionContext {
  readonly props: object;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly #background: BackgroundWork;

  constructor({ background, exports, props = {} }: ContextParts) {
    this.#background = background;
    this.exports = exports;
    this.props = props;
  }

  waitUntil(promise: unknown): void {
    this.#background.add(promise);
  }

  /** Spans are not recorded. */
  get tracing(): typeof tracing {
    return tracing;
  }

  /** Ends the event with an error: its caller gets the reason. Code that catches this error continues. */
  abort(reason: unknown = new Error('The event was aborted by ctx.abort().')): never {
    throw reason;
  }

  mapVirtualHost(): never {
    throw new Error(
      'ctx.mapVirtualHost() is not available here: nothing resolves the names that it makes up',
    );
  }

  /** There is no origin server behind a Worker here that could answer the request: an exception is an error. */
  passThroughOnException(): void {}
}

export type EntryHandler = (
  request: Request,
  env: unknown,
  context: ExecutionContext,
) => Response | Promise<Response>;

/** The argument of a scheduled event. */
export interface ScheduledController {
  readonly type: 'scheduled';
  readonly cron: string;
  readonly scheduledTime: number;
  noRetry(): void;
}

type Handler = (this: unknown, ...args: unknown[]) => unknown;
type EntryHandlers = Readonly<Record<string, Handler | undefined>>;

export function entryHandler(exported: unknown): EntryHandler {
  if (typeof exported === 'function') {
    return (request, env, context) => {
      const instance = createEntrypoint(exported, env, context) as EntryHandlers;
      return callFetch(instance, instance['fetch'], [request]);
    };
  }
  const handlers = (exported ?? {}) as EntryHandlers;
  return (request, env, context) => callFetch(handlers, handlers['fetch'], [request, env, context]);
}

/** A new instance of an entry point that is a class. */
export function createEntrypoint(exported: unknown, env: unknown, context: ExecutionContext): object {
  const Entrypoint = exported as new (context: ExecutionContext, env: unknown) => object;
  return new Entrypoint(context, env);
}

/** Calls `scheduled()`; undefined if there is none. */
export async function callScheduled(
  exported: unknown,
  controller: ScheduledController,
  { env, context }: HandlerContext,
): Promise<'ok' | undefined> {
  const scheduled = findHandler(exported, 'scheduled', { env, context });
  if (scheduled === undefined) return undefined;
  await scheduled(controller);
  return 'ok';
}

export interface HandlerContext {
  readonly env: unknown;
  readonly context: ExecutionContext;
}

/** Finds a handler of an entry point, for a call with its event; undefined if it does not exist. */
export function findHandler(
  exported: unknown,
  name: string,
  { env, context }: HandlerContext,
): ((event: unknown) => unknown) | undefined {
  const isClass = typeof exported === 'function';
  const handlers = (isClass ? createEntrypoint(exported, env, context) : (exported ?? {})) as EntryHandlers;
  const handler = handlers[name];
  if (typeof handler !== 'function') return undefined;
  return (event) => handler.apply(handlers, isClass ? [event] : [event, env, context]);
}

/** Handles a batch of messages; a rejection means failure. */
export type QueueHandler = (
  batch: Pick<MessageBatch, 'queue' | 'ackAll' | 'retryAll'>,
  env: unknown,
  context: ExecutionContext,
) => Promise<void>;

export function queueHandler(exported: unknown): QueueHandler {
  return async (batch, env, context) => {
    const queue = findHandler(exported, 'queue', { env, context });
    if (queue === undefined) throw new TypeError('Handler does not export a queue() function.');
    await queue(batch);
  };
}

function callFetch(self: unknown, fetch: Handler | undefined, args: unknown[]): Response | Promise<Response> {
  if (typeof fetch !== 'function') throw new TypeError('Handler does not export a fetch() function.');
  return fetch.apply(self, args) as Response | Promise<Response>;
}

/** The exports of a Worker's main module. */
export interface WorkerExports {
  /** Handlers of the default export: `fetch`, `scheduled`, … */
  readonly handlers: readonly string[];
  /** Names of classes beside the default export. */
  readonly classes: readonly string[];
}

const handlerNames = ['fetch', 'scheduled', 'queue', 'email', 'tail', 'trace', 'alarm', 'test'] as const;

export function describeEntry(exports: Readonly<Record<string, unknown>>): WorkerExports {
  const { default: entry, ...others } = exports;
  const handlers: unknown = typeof entry === 'function' ? entry.prototype : entry;
  const isClass = (value: unknown): boolean =>
    typeof value === 'function' && typeof value.prototype === 'object';
  return {
    handlers:
      typeof handlers === 'object' && handlers !== null
        ? handlerNames.filter((name) => typeof (handlers as Record<string, unknown>)[name] === 'function')
        : [],
    classes: Object.keys(others).filter((name) => isClass(others[name])),
  };
}

/** Exports of a default export that are never called here. */
export function entryWarnings(
  defaultExport: unknown,
  main: string,
  queues: readonly string[] = [],
): string[] {
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
  if (queues.length > 0 && !('queue' in handlers))
    warnings.push(`${main} exports no queue(): messages of ${queues.join(', ')} cannot be delivered`);
  return warnings;
}

/**
 * An entry point of a Worker in this process, as others call it: by `fetch`, and by the methods of a class. Each call
 * has its own instance, of the current version of the code.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Capability, type LinkEntry, outside, type Side, toCallerError } from '#rpc';
import { passUpgrade } from '#sockets';
import { createEntrypoint, entryHandler, ExecutionContext, findHandler } from '../entry.ts';
import type { SocketOptions } from '../modules/cloudflare-sockets.ts';
import type { Platform } from '../platform.ts';
import { callQueue, callScheduledHandler, type OpenedEntry, type RunHandler } from './extra-handlers.ts';
import { connectService, type ServiceSocket } from './service-socket.ts';

/** A Worker whose code is loaded. */
interface RunningWorker {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly platform: Platform;
}

export interface ServiceTarget {
  /** The name of the Worker. */
  readonly service: string;
  /** The exported class that answers; undefined for the default export. */
  readonly entrypoint: string | undefined;
  readonly props: object;
}

/** Finds Workers, and runs their code. */
export interface Surroundings {
  find(service: string): RunningWorker | undefined;
  /** Loads the code of a Worker that is loaded at its first call; undefined if there is nothing to wait for. */
  load?(service: string): Promise<void> | undefined;
  /** Runs the code of an event on the program's clock. */
  run<Result>(body: () => Result): Result;
  /** Records a request for clients that follow the Worker. */
  record?(request: Request, answer: () => Promise<Response>): Response | Promise<Response>;
}

/** Names that callers cannot use, because the platform calls them. */
const reserved: ReadonlySet<string> = new Set([
  'fetch',
  'connect',
  'alarm',
  'webSocketMessage',
  'webSocketClose',
  'webSocketError',
  'dup',
  'constructor',
]);

/** A Worker's work for an object is not work of that object: the Worker has its own events. */
const runApart = AsyncLocalStorage.snapshot();

export class ServiceEntry extends Capability implements LinkEntry {
  readonly #target: ServiceTarget;
  readonly #surroundings: Surroundings;

  constructor(target: ServiceTarget, surroundings: Surroundings) {
    const run = <Result>(body: () => Result): Result => runApart(() => surroundings.run(body));
    const owner: Side = { enter: (body) => run(body), reach: (message) => outside.reach(message) };
    super({ owner, target: () => open(target, surroundings), reserved });
    this.#target = target;
    this.#surroundings = surroundings;
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    const { run, record = (_request, answer) => answer() } = this.#surroundings;
    const answer = () => this.#answer(request);
    return holder.reach(async () => await runApart(() => run(() => record(request, answer))));
  }

  /**
   * If the entry point's `connect` handler fails, the error is logged: the caller only sees that the connection has
   * ended.
   */
  connect(address: unknown, options: SocketOptions = {}): ServiceSocket {
    return connectService(address, options, (socket) => {
      const { find, run } = this.#surroundings;
      const found = find(this.#target.service);
      if (found === undefined) return undefined;
      const { exported, report, ...context } = prepare(found, this.#target);
      const handler = findHandler(exported, 'connect', context);
      if (handler === undefined) return undefined;
      return runApart(() => run(async () => await handler(socket))).catch(report);
    });
  }

  queue(holder: Side, args: Parameters<typeof callQueue>[1]): Promise<object> {
    return holder.reach(() => callQueue(this.#runHandler, args));
  }

  scheduled(holder: Side, options: Parameters<typeof callScheduledHandler>[1]): Promise<object> {
    return holder.reach(() => callScheduledHandler(this.#runHandler, options));
  }

  readonly #runHandler: RunHandler = async (body) => {
    const { service } = this.#target;
    await this.#surroundings.load?.(service);
    const found = this.#surroundings.find(service);
    if (found === undefined) throw new Error(describeMissing(service));
    return await runApart(() => this.#surroundings.run(() => body(prepare(found, this.#target))));
  };

  async #answer(request: Request): Promise<Response> {
    const { service } = this.#target;
    const loading = this.#surroundings.load?.(service);
    if (loading !== undefined) await loading;
    const found = this.#surroundings.find(service);
    if (found === undefined) return new Response(describeMissing(service), { status: 503 });
    const { exported, env, context } = prepare(found, this.#target);
    try {
      const response: unknown = await entryHandler(exported)(request, env, context);
      if (!(response instanceof Response)) {
        throw new TypeError("Incorrect type for Promise: the Promise did not resolve to 'Response'.");
      }
      return passUpgrade(request, response);
    } catch (error) {
      throw toCallerError(error);
    }
  }
}

/** The target of method calls. */
function open(target: ServiceTarget, surroundings: Surroundings): object | Promise<object> {
  const loading = surroundings.load?.(target.service);
  return loading === undefined
    ? openLoaded(target, surroundings)
    : loading.then(() => openLoaded(target, surroundings));
}

function openLoaded(target: ServiceTarget, { find }: Surroundings): object {
  const found = find(target.service);
  if (found === undefined) throw new Error(describeMissing(target.service));
  const { exported, env, context } = prepare(found, target);
  return typeof exported === 'function'
    ? createEntrypoint(exported, env, context)
    : openHandlers(exported as object, env, context);
}

/** A plain object with functions: each gets one argument from the caller, followed by those of a handler. */
function openHandlers(exported: object, env: unknown, context: ExecutionContext): object {
  const methods = Object.entries(Object.getOwnPropertyDescriptors(exported)).map(
    ([name, { value, ...rest }]) => [
      name,
      typeof value === 'function'
        ? { ...rest, value: takeOneArgument(name, value.bind(exported) as AnyFunction, [env, context]) }
        : { ...rest, ...(value === undefined ? {} : { value }) },
    ],
  );
  // The members of a class that callers can see: an instance's own properties are hidden from them.
  return Object.create(
    Object.defineProperties({}, Object.fromEntries(methods) as PropertyDescriptorMap),
  ) as object;
}

type AnyFunction = (...args: unknown[]) => unknown;

function takeOneArgument(name: string, handler: AnyFunction, more: readonly unknown[]): AnyFunction {
  return (...args) => {
    if (args.length === 1) return handler(args[0], ...more);
    throw new TypeError(
      `Attempted to call RPC function "${name}" with the wrong number of arguments. When calling a top-level handler function ` +
        'that is not declared as part of a class, you must always send exactly one argument. In order to support variable ' +
        'numbers of arguments, the server must use class-based syntax (extending WorkerEntrypoint) instead.',
    );
  };
}

function prepare(
  { exports, platform }: RunningWorker,
  { service, entrypoint = 'default', props }: ServiceTarget,
): OpenedEntry {
  const exported = exports[entrypoint];
  if (exported === undefined && entrypoint !== 'default') {
    throw new Error(`the Worker "${service}" does not export ${entrypoint}, which a service binding names`);
  }
  const { background, env, exports: ownExports } = platform;
  return {
    exported,
    env,
    context: new ExecutionContext({ background, exports: ownExports, props }),
    report: (error) => background.report(error),
  };
}

function describeMissing(service: string): string {
  return `Worker "${service}" not found. Make sure it is running locally.`;
}

/**
 * The module `cloudflare:workers`, the same for every Worker; the loader adds the part of each Worker (`env`,
 * `exports`, `waitUntil`). Exports that are unsupported here explain themselves when they are used, so that a module
 * that only mentions them loads.
 */
import type { WorkflowEvent, WorkflowStep } from '#bindings';
import { DurableObject } from '#objects';
import { RpcPromise, RpcProperty, RpcStub, RpcTarget, ServiceStub } from '#rpc';

export { DurableObject, RpcPromise, RpcProperty, RpcStub, RpcTarget, ServiceStub };
/** The base of a default export that is a class: a new instance answers each request. */
export class WorkerEntrypoint<Env = unknown> {
  protected readonly ctx: unknown;
  protected readonly env: Env;

  constructor(ctx: unknown, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

/** The base of a workflow: a new instance executes each run of a workflow instance. */
export abstract class WorkflowEntrypoint<Env = unknown> extends WorkerEntrypoint<Env> {
  abstract run(event: WorkflowEvent, step: WorkflowStep): Promise<unknown>;
}

const page = 'docs/reference/objects.md, "Workers APIs"';

function explainAbsence(name: string): () => never {
  return () => {
    throw new Error(`${name} of cloudflare:workers is not available here; see ${page}`);
  };
}

/** Names a method that is called when a stored stub is restored; stubs are never stored here. */
export const restore = Symbol('restore');
export const abortIsolate = explainAbsence('abortIsolate()');
export const cache = new Proxy({}, { get: (_target, name) => explainAbsence(`cache.${String(name)}`)() });

/** Spans are not recorded, but the code inside of them runs. */
const untraced = { isTraced: false, setAttribute() {}, end() {} };

export const tracing = {
  enterSpan<Args extends unknown[], Result>(
    _name: string,
    callback: (span: typeof untraced, ...args: Args) => Result,
    ...args: Args
  ): Result {
    return callback(untraced, ...args);
  },
};

/**
 * What `import … from 'cloudflare:workers'` gives to a Worker. One process runs one Worker: `env` and `exports` are
 * filled when it is loaded and refilled, the same objects, when its code changes.
 */
import { DurableObject } from '#objects';
import { RpcTarget } from '#rpc';
import { platform } from '../platform.ts';

export { DurableObject, RpcTarget };

export const { env, exports } = platform;

export function waitUntil(promise: Promise<unknown>): void {
  if (platform.background === undefined) throw new Error('cannot wait for a promise: no Worker is running');
  platform.background.add(promise);
}

/** The base of a default export that is a class: a new instance answers each request. */
export class WorkerEntrypoint<Env = unknown> {
  protected readonly ctx: unknown;
  protected readonly env: Env;

  constructor(ctx: unknown, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

export class WorkflowEntrypoint {
  constructor() {
    throw new Error('Workflows are out of scope: Gatehouse has objects and their alarms, no workflows');
  }
}

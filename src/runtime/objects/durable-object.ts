import type { DurableObjectState } from './state.ts';

/** The base class of stateful objects. It adds `ctx` and `env` to your class. */
export abstract class DurableObject<Env = unknown> {
  protected readonly ctx: DurableObjectState;
  protected readonly env: Env;

  constructor(ctx: DurableObjectState, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

export interface AlarmInfo {
  readonly scheduledTime: number;
  readonly retryCount: number;
  readonly isRetry: boolean;
}

/** The methods that the runtime may call on an instance. */
export interface ObjectHandlers {
  fetch?(request: Request): Response | Promise<Response>;
  alarm?(info: AlarmInfo): void | Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- any class a user writes, whatever its env
export type DurableObjectClass = new (ctx: DurableObjectState, env: any) => object;

/**
 * Service bindings with `scheduled()` and `queue()`, which `service_binding_extra_handlers` adds for tests, and bindings
 * that a function answers.
 */
import { Capability, type LinkEntry, outside, type Side } from '#rpc';
import { callScheduled, type ExecutionContext, queueHandler } from '../entry.ts';
import { type QueueResult, type SentMessage, TestBatch } from './handmade-batch.ts';
import { createScheduledController, type ScheduledOptions } from './scheduled-controller.ts';
import type { Answer } from './tested-code.ts';

/** An entry point whose handlers are called. */
export interface HandlerPort {
  /** What the module exports under its name. */
  load(): Promise<unknown>;
  prepare(): {
    readonly env: unknown;
    readonly context: ExecutionContext;
    /** Resolves when what the handler has left running has ended. */
    readonly settled: () => Promise<void>;
  };
}

interface ScheduledResult {
  readonly outcome: 'ok' | 'exception';
  readonly noRetry: boolean;
}

/** The same stub, with two more methods. */
export function withHandlers(stub: object, port: HandlerPort): object {
  const handlers: Readonly<Record<PropertyKey, unknown>> = {
    scheduled: async (options?: ScheduledOptions): Promise<ScheduledResult> => {
      const controller = createScheduledController(options);
      const exported = await port.load();
      const { settled, ...parts } = port.prepare();
      const outcome = await callScheduled(exported, controller, parts);
      await settled();
      if (outcome === undefined) throw new TypeError('Handler does not export a scheduled() function.');
      return { outcome, noRetry: controller.isNotRetried };
    },
    queue: async (queue: string, messages: readonly SentMessage[]): Promise<QueueResult> => {
      const batch = new TestBatch(queue, messages);
      const exported = await port.load();
      const { env, context, settled } = port.prepare();
      await queueHandler(exported)(batch, env, context);
      await settled();
      return batch.result();
    },
  };
  return new Proxy(stub, {
    get: (target, name) =>
      Object.hasOwn(handlers, name) ? handlers[name] : (Reflect.get(target, name) as unknown),
  });
}

/** A binding that a function of the tests answers; it has no methods. */
export class FunctionEntry extends Capability implements LinkEntry {
  readonly #answer: Answer;

  constructor(answer: Answer) {
    super({ owner: outside, target: () => ({}), reserved: new Set() });
    this.#answer = answer;
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    return holder.reach(async () => await this.#answer(request));
  }
}

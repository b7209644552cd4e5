/**
 * `queue()` and `scheduled()` of a service binding, with the flag `service_binding_extra_handlers`: they call the
 * handlers of those names as the platform would, and return the outcome. Without the flag, these are names of methods
 * like any other.
 */
import { realClock, wrongType } from '#base';
import { type GivenMessage, MessageBatch, type QueueMetrics, toDeliveredMessage } from '#bindings';
import { findHandler, type HandlerContext, type ScheduledController } from '../entry.ts';

/** The code of an entry point, for one event. */
export interface OpenedEntry extends HandlerContext {
  readonly exported: unknown;
  report(error: unknown): void;
}

/** Runs a function with the code of the entry point, outside the caller's async context. */
export type RunHandler = <Result>(body: (entry: OpenedEntry) => Promise<Result>) => Promise<Result>;

type HandlerOutcome = 'ok' | 'exception';

export async function callQueue(
  run: RunHandler,
  [queue, messages, metadata]: readonly [unknown, unknown, { readonly metrics?: QueueMetrics }?],
): Promise<object> {
  if (!Array.isArray(messages)) throw wrongType({ method: 'queue', face: 'Fetcher' }, 2, 'Array');
  const metrics = metadata?.metrics ?? { backlogCount: 0, backlogBytes: 0 };
  const batch = new MessageBatch(
    String(queue),
    messages.map((message) => toDeliveredMessage(message as GivenMessage)),
    metrics,
  );
  const outcome = await tryHandler(run, 'queue', batch);
  return { outcome, ...batch.describe() };
}

export async function callScheduledHandler(
  run: RunHandler,
  { scheduledTime, cron = '' }: { readonly scheduledTime?: Date; readonly cron?: string } = {},
): Promise<object> {
  let noRetry = false;
  const controller: ScheduledController = {
    type: 'scheduled',
    cron: String(cron),
    scheduledTime: scheduledTime === undefined ? realClock.now() : Number(scheduledTime),
    noRetry: () => void (noRetry = true),
  };
  const outcome = await tryHandler(run, 'scheduled', controller);
  return { outcome, noRetry };
}

function tryHandler(run: RunHandler, name: string, event: unknown): Promise<HandlerOutcome> {
  return run(async ({ exported, report, ...context }) => {
    try {
      const handler = findHandler(exported, name, context);
      if (handler === undefined) throw new TypeError(`Handler does not export a ${name}() function.`);
      await handler(event);
      return 'ok';
    } catch (error) {
      report(error);
      return 'exception';
    }
  });
}

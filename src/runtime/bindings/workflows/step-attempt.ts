/** One attempt of a step: aborts it after its timeout, and determines the delay of the next one. */
import { delayFunctionMsMax } from '../limits.ts';
import { readDuration } from './durations.ts';
import { growDelay, type StepConfig, type StepContext } from './step-config.ts';
import { createStepError, type ErrorRecord, toErrorRecord } from './workflow-errors.ts';

/** The maximum of Node's timers. A longer timeout is not enforced. */
const timerMsMax = 2 ** 31 - 1;

type BodyOutcome = { readonly value: unknown } | { readonly thrown: unknown };

export async function runLimited(work: () => unknown, msMax: number): Promise<BodyOutcome> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(createStepError(`Execution timed out after ${msMax}ms`));
  const timer = msMax > timerMsMax ? undefined : setTimeout(end, msMax);
  try {
    return { value: await Promise.race([work(), late]) };
  } catch (thrown) {
    return { thrown };
  } finally {
    clearTimeout(timer);
  }
}

/** The delay before the next attempt, or why there is none. */
export async function findDelay(
  { retries: { delay, backoff } }: StepConfig,
  context: StepContext,
  error: Error,
): Promise<number | ErrorRecord> {
  const { step, attempt } = context;
  const refuse = (why: string): ErrorRecord => ({
    name: 'Error',
    message: `The delay function for step "${step.name}-${step.count}" ${why}`,
  });
  if (typeof delay !== 'function') return growDelay(readDuration(delay), backoff, attempt);
  const outcome = await runLimited(() => delay({ ctx: context, error }), delayFunctionMsMax);
  if ('thrown' in outcome) return refuse(`threw an error: ${toErrorRecord(outcome.thrown).message}`);
  const base = readDuration(outcome.value);
  if (!Number.isNaN(base)) return growDelay(base, backoff, attempt);
  return refuse(
    'returned an invalid delay value (expected a number of ms or a duration string like "30 seconds")',
  );
}

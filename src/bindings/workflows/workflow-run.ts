/**
 * One life of a run: the code of a workflow from its first line to where it waits, fails or ends. Steps that are done
 * are not run again, whichever life they were done in; a step that was interrupted is.
 *
 * A run that is left (its instance was paused, ended or restarted, or put away) never goes on: what it waits for stays
 * pending, and what a step of it returns later is dropped.
 */
import { encodeValue } from '#values';
import { delayFunctionMsMax, workflowNameMax, workflowStepBytesMax } from '../limits.ts';
import { readDuration } from './durations.ts';
import { growDelay, readStepConfig, showConfig, type StepConfig, type StepContext } from './step-config.ts';
import {
  createFatal,
  createStepError,
  type ErrorRecord,
  fromErrorRecord,
  isNonRetryable,
  toErrorRecord,
} from './workflow-errors.ts';
import {
  keyOf,
  type StepKind,
  type StepRecord,
  type WorkflowEventRecord,
  type WorkflowRecords,
} from './workflow-records.ts';

export interface WorkflowEvent {
  readonly payload: unknown;
  readonly timestamp: Date;
  readonly instanceId: string;
  readonly workflowName: string;
}

type Work = (context: StepContext) => unknown;

/** What `run` is given to divide its work by. */
export interface WorkflowStep {
  do(name: string, ...rest: unknown[]): Promise<unknown>;
  sleep(name: string, duration: number | string): Promise<void>;
  sleepUntil(name: string, timestamp: Date | number): Promise<void>;
  waitForEvent(name: string, options: WaitOptions): Promise<WorkflowEventRecord>;
}

interface WaitOptions {
  readonly type: string;
  readonly timeout?: number | string;
}

/** The code of a workflow. */
export interface WorkflowCode {
  readonly stepsMax: number;
  /** Whether an instance that fails by a `NonRetryableError` has its message. */
  readonly keepsFatalMessages: boolean;
  run(event: WorkflowEvent, step: WorkflowStep): Promise<unknown>;
}

export type RunOutcome =
  | { readonly output: unknown }
  | { readonly thrown: unknown }
  | { readonly fatal: ErrorRecord };

export interface RunPorts {
  readonly records: WorkflowRecords;
  readonly code: WorkflowCode;
  /** A step begins. */
  readonly onBegin: () => void;
  /** Nothing happens until something is due or an event arrives; or the run has ended. */
  readonly onRest: () => void;
  /** A step that a pause has waited for has ended. */
  readonly onPaused: () => void;
  readonly onEnd: (outcome: RunOutcome) => void;
}

interface Waiter {
  readonly step: StepRecord;
  /** Goes on, if it is time; answers whether it does. */
  tryToGoOn(): boolean;
}

interface AboutStep {
  readonly kind: StepKind;
  readonly name: string;
  readonly count: number;
}

const never = new Promise<never>(() => {});
/** Timers of Node hold no more. A step that runs for longer is not ended. */
const timerMsMax = 2 ** 31 - 1;
/** They take some milliseconds. */
const stepsPerTurnMax = 50;
const waitDefault = '24 hours';

export class WorkflowRun {
  readonly #ports: RunPorts;
  readonly #records: WorkflowRecords;
  readonly #steps: Map<string, StepRecord>;
  readonly #counts = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();
  #state: 'running' | 'pausing' | 'left' = 'running';
  /** What waits for the end of `pausing`. */
  #held = Promise.withResolvers<void>();
  #bodies = 0;
  #stepCount = 0;

  constructor(ports: RunPorts) {
    this.#ports = ports;
    this.#records = ports.records;
    this.#steps = ports.records.steps();
  }

  start(event: WorkflowEvent): void {
    const step: WorkflowStep = {
      do: (name, ...rest) => this.#do(name, rest),
      sleep: (name, duration) => this.#sleep(name, duration),
      sleepUntil: (name, timestamp) => this.#sleepUntil(name, timestamp),
      waitForEvent: (name, options) => this.#waitForEvent(name, options),
    };
    const run = async (): Promise<unknown> => await this.#ports.code.run(event, step);
    run().then(
      (output) => this.#end({ output }),
      (thrown: unknown) => this.#end({ thrown }),
    );
  }

  /** Goes on with everything that is due, and with events that have arrived. */
  goOn(): void {
    for (const waiter of this.#waiters) if (waiter.tryToGoOn()) this.#waiters.delete(waiter);
    this.#lookForRest();
  }

  /** When the next of the steps that wait goes on. */
  get nextDue(): number {
    return Math.min(...Array.from(this.#waiters, ({ step }) => step.due ?? Infinity));
  }

  /** Begins no step from now on. Answers whether none is running; else `onPaused` tells. */
  pause(): boolean {
    if (this.#bodies === 0) {
      this.leave();
      return true;
    }
    this.#state = 'pausing';
    return false;
  }

  /** Takes back a pause that has not happened yet. */
  resume(): void {
    this.#state = 'running';
    this.#held.resolve();
    this.#held = Promise.withResolvers();
  }

  leave(): void {
    this.#state = 'left';
    this.#waiters.clear();
  }

  #end(outcome: RunOutcome): void {
    if (this.#state === 'left') return;
    this.leave();
    this.#ports.onEnd(outcome);
    this.#ports.onRest();
  }

  /** Code that was waiting goes on in microtasks; what it begins counts. */
  #lookForRest(): void {
    setImmediate(() => {
      if (this.#bodies === 0 && this.#waiters.size > 0) this.#ports.onRest();
    });
  }

  /** Resolves when code may go on. */
  async #pass(): Promise<void> {
    while (this.#state === 'pausing') await this.#held.promise;
    if (this.#state === 'left') await never;
  }

  /** Steps that wait for nothing follow each other in microtasks: others have their turn now and then. */
  async #takeTurn(): Promise<void> {
    if (this.#stepCount % stepsPerTurnMax === 0) await new Promise((resolve) => void setImmediate(resolve));
  }

  #identify(kind: StepKind, name: string): AboutStep & { readonly found: StepRecord | undefined } {
    const counted = `${kind} ${name}`;
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    return { kind, name, count, found: this.#steps.get(keyOf(kind, name, count)) };
  }

  async #do(name: string, rest: readonly unknown[]): Promise<unknown> {
    const { config, work } = this.#readCall(name, rest);
    const { found, ...about } = this.#identify('do', name);
    await this.#pass();
    if (found?.state === 'done') return this.#records.outputOf(found);
    if (found?.state === 'failed') throw fromErrorRecord(this.#records.errorOf(found));
    if (found?.state === 'waiting') await this.#waitUntilDue(found);
    let step = found;
    for (;;) {
      await this.#takeTurn();
      await this.#pass();
      step = this.#begin(about, step);
      const outcome = await this.#attempt(about, step, { config, work });
      await this.#pass();
      if (outcome === 'done') return this.#records.outputOf(step);
      if (outcome === 'failed') throw fromErrorRecord(this.#records.errorOf(step));
      await this.#waitUntilDue(step);
    }
  }

  #readCall(name: string, rest: readonly unknown[]): { readonly config: StepConfig; readonly work: Work } {
    const [given, work, more] = typeof rest[0] === 'function' ? [{}, ...rest] : rest;
    if (typeof work !== 'function') throw createStepError(`Step "${name}" requires a callback function`);
    if (more !== undefined)
      throw createStepError(
        `Rollback options for "${name}" are not available: Gatehouse has no rollback of steps`,
      );
    this.#stepCount += 1;
    const { stepsMax } = this.#ports.code;
    if (this.#stepCount > stepsMax)
      throw createStepError(
        `The limit of ${stepsMax} steps has been reached. This limit can be changed in your worker configuration.`,
      );
    // oxlint-disable-next-line no-control-regex -- as Cloudflare does
    if (String(name).length > workflowNameMax || /[\0-\x1f]/.test(name))
      throw createStepError(
        `Step name "${name}" exceeds max length (${workflowNameMax} chars) or invalid characters found`,
      );
    const config = readStepConfig(given ?? {});
    if (config === undefined)
      throw createStepError(
        `Step config for "${name}" is in a invalid format. See https://developers.cloudflare.com/workflows/build/sleeping-and-retrying/`,
      );
    return { config, work: work as Work };
  }

  /** Notes that an attempt begins, before it does: one that ends the process is counted. */
  #begin(about: AboutStep, step: StepRecord | undefined): StepRecord {
    this.#bodies += 1;
    this.#ports.onBegin();
    if (step === undefined) return this.#records.addStep(about, { state: 'running', attempts: 1, due: null });
    this.#records.beginAttempt(step);
    return step;
  }

  async #attempt(
    about: AboutStep,
    step: StepRecord,
    { config, work }: { readonly config: StepConfig; readonly work: Work },
  ): Promise<StepRecord['state']> {
    const { name, count } = about;
    const context = { step: { name, count }, attempt: step.attempts, config: showConfig(config) };
    const outcome = await runLimited(() => work(context), readDuration(config.timeout));
    // It is not awaited any more.
    if (this.#state === 'left') return await never;
    try {
      const thrown = 'thrown' in outcome ? outcome.thrown : this.#finish(about, step, outcome.value);
      if (thrown !== undefined) await this.#failAttempt(step, { thrown, config, context });
    } finally {
      this.#bodies -= 1;
    }
    if (this.#state === 'pausing' && this.#bodies === 0) {
      this.leave();
      this.#ports.onPaused();
    }
    this.#lookForRest();
    return step.state;
  }

  /** Keeps what the step has returned. Answers with an error if that cannot be done. */
  #finish({ name, count }: AboutStep, step: StepRecord, value: unknown): Error | undefined {
    let bytes: Uint8Array | null;
    try {
      bytes = value === undefined ? null : encodeValue(value);
    } catch {
      this.#records.failStep(step, createFatal(`Value returned from step "${name}" is not serialisable`));
      const message = `The execution of the Workflow instance was terminated, as the step "${name}" returned a value which is not serialisable`;
      this.#end({ fatal: createFatal(message) });
      return undefined;
    }
    if (bytes !== null && bytes.length > workflowStepBytesMax)
      return createStepError(`Step ${name}-${count} output is too large. Maximum allowed size is 1MiB.`);
    this.#records.finishStep(step, bytes);
    return undefined;
  }

  async #failAttempt(
    step: StepRecord,
    failure: { readonly thrown: unknown; readonly config: StepConfig; readonly context: StepContext },
  ): Promise<void> {
    const { thrown, config, context } = failure;
    const error = toErrorRecord(thrown);
    if (isNonRetryable(thrown) || step.attempts > config.retries.limit)
      return this.#records.failStep(step, error);
    const delay = await findDelay(config, context, fromErrorRecord(error));
    if (this.#state === 'left') return await never;
    if (typeof delay === 'number') this.#records.awaitAttempt(step, Date.now() + delay, error);
    else this.#records.failStep(step, delay);
  }

  async #sleep(name: string, duration: number | string): Promise<void> {
    const ms = readDuration(duration);
    if (Number.isNaN(ms))
      throw createStepError(`The duration of the sleep "${name}" is not valid: ${String(duration)}`);
    await this.#sleepFor(name, () => Date.now() + ms);
  }

  async #sleepUntil(name: string, timestamp: Date | number): Promise<void> {
    await this.#sleepFor(name, () => {
      const until = Number(timestamp);
      if (until >= Date.now()) return until;
      throw createStepError("You can't sleep until a time in the past, time-traveler");
    });
  }

  async #sleepFor(name: string, findDue: () => number): Promise<void> {
    const { found, ...about } = this.#identify('sleep', name);
    await this.#pass();
    if (found?.state === 'done') return;
    const step = found ?? this.#records.addStep(about, { state: 'waiting', attempts: 0, due: findDue() });
    await this.#waitUntilDue(step);
    await this.#pass();
    this.#records.finishStep(step, null);
  }

  async #waitForEvent(
    name: string,
    { type, timeout = waitDefault }: WaitOptions,
  ): Promise<WorkflowEventRecord> {
    const ms = readDuration(timeout);
    if (Number.isNaN(ms)) throw createStepError(`The timeout of "${name}" is not valid: ${String(timeout)}`);
    const { found, ...about } = this.#identify('waitForEvent', name);
    await this.#pass();
    if (found?.state === 'done') return this.#records.outputOf(found) as WorkflowEventRecord;
    if (found?.state === 'failed') throw fromErrorRecord(this.#records.errorOf(found));
    const record = { state: 'waiting', attempts: 0, due: Date.now() + ms, event: type } as const;
    const step = found ?? this.#records.addStep(about, record);
    const { promise, resolve, reject } = Promise.withResolvers<WorkflowEventRecord>();
    this.#wait({
      step,
      tryToGoOn: () => {
        const event = this.#records.takeEvent(step, type);
        if (event !== undefined) resolve(event);
        else if (step.due! > Date.now()) return false;
        else {
          const error = { name: 'Error', message: `Execution timed out after ${ms}ms` };
          this.#records.failStep(step, error);
          reject(fromErrorRecord(error));
        }
        return true;
      },
    });
    return await promise;
  }

  async #waitUntilDue(step: StepRecord): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wait({
      step,
      tryToGoOn: () => {
        if (step.due! > Date.now()) return false;
        resolve();
        return true;
      },
    });
    await promise;
  }

  #wait(waiter: Waiter): void {
    if (waiter.tryToGoOn()) return;
    this.#waiters.add(waiter);
    this.#lookForRest();
  }
}

type BodyOutcome = { readonly value: unknown } | { readonly thrown: unknown };

async function runLimited(work: () => unknown, msMax: number): Promise<BodyOutcome> {
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

/** How long to wait for the next attempt, or why there is none. */
async function findDelay(
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

/**
 * One life of a run: the code of a workflow from its first line until it waits, fails or ends. Completed steps are not
 * run again, in whichever life they completed; an interrupted step is.
 *
 * When the code has failed, the steps with a rollback are undone, the last one first. A later life that finds an
 * instance being undone replays its code, to get the rollback functions again, and starts nothing else.
 *
 * A run that is abandoned (its instance was paused, ended, restarted, or put away) never continues: the promises it
 * awaits stay pending, and later results of its steps are dropped.
 */
import { encodeValue } from '#values';
import { workflowNameMax, workflowReplayMsMax, workflowStepBytesMax } from '../limits.ts';
import { readDuration } from './durations.ts';
import { findDelay, runLimited } from './step-attempt.ts';
import { readStepConfig, showConfig, type StepConfig, type StepContext } from './step-config.ts';
import { readRollback, type Rollback } from './step-rollback.ts';
import type { RunOutcome, RunPorts, WaitOptions, WorkflowEvent, WorkflowStep } from './workflow-code.ts';
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

type Work = (context: StepContext) => unknown;

interface Waiter {
  readonly step: StepRecord;
  /** Continues if it is time; returns whether it does. */
  tryToGoOn(): boolean;
}

interface AboutStep {
  readonly kind: StepKind;
  readonly name: string;
  readonly count: number;
}

/** The configuration and the function of a step. */
interface StepCall {
  readonly config: StepConfig;
  readonly work: Work;
}

/** How a step is undone. */
interface StepUndo extends Rollback {
  readonly name: string;
  readonly count: number;
  /** The configuration of the step itself. */
  readonly stepConfig: StepConfig;
}

const never = new Promise<never>(() => {});
/** These take a few milliseconds. */
const stepsPerTurnMax = 50;
const waitDefault = '24 hours';

export class WorkflowRun {
  readonly #ports: RunPorts;
  readonly #records: WorkflowRecords;
  readonly #steps: Map<string, StepRecord>;
  readonly #counts = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();
  #state: 'running' | 'pausing' | 'replaying' | 'undoing' | 'left' = 'running';
  readonly #undos = new Map<string, StepUndo>();
  /** During a replay: the steps whose functions have not been registered again yet. */
  #missing = new Set<string>();
  #replayTimer: NodeJS.Timeout | undefined;
  #onReplayed: (() => void) | undefined;
  /** Resolves at the end of `pausing`. */
  #held = Promise.withResolvers<void>();
  #bodies = 0;
  #stepCount = 0;

  constructor(ports: RunPorts) {
    this.#ports = ports;
    this.#records = ports.records;
    this.#steps = ports.records.steps();
  }

  /** `undoFor`: an earlier life has begun to undo the steps, because of this error. */
  start(event: WorkflowEvent, undoFor?: ErrorRecord): void {
    if (undoFor !== undefined) this.#replay(undoFor);
    const step: WorkflowStep = {
      do: (name, ...rest) => this.#do(name, rest),
      sleep: (name, duration) => this.#sleep(name, duration),
      sleepUntil: (name, timestamp) => this.#sleepUntil(name, timestamp),
      waitForEvent: (name, options) => this.#waitForEvent(name, options),
    };
    const run = async (): Promise<unknown> => await this.#ports.code.run(event, step);
    run().then(
      (output) => this.#settle(undoFor, { output }),
      (thrown: unknown) => this.#settle(undoFor, { thrown }),
    );
  }

  #settle(undoFor: ErrorRecord | undefined, outcome: RunOutcome): void {
    if (undoFor === undefined) this.#end(outcome);
    else void this.#undo(undoFor);
  }

  #replay(undoFor: ErrorRecord): void {
    this.#state = 'replaying';
    for (const [key, { state }] of this.#steps)
      if (key.startsWith('rollback ') && state !== 'done') this.#missing.add(key);
    this.#replayTimer = setTimeout(() => void this.#undo(undoFor), workflowReplayMsMax);
    this.#onReplayed = () => void this.#undo(undoFor);
    if (this.#missing.size === 0) this.#onReplayed();
  }

  /** Continues everything that is due, and waits whose events have arrived. */
  goOn(): void {
    for (const waiter of this.#waiters) if (waiter.tryToGoOn()) this.#waiters.delete(waiter);
    this.#lookForRest();
  }

  /** When the next of the waiting steps continues. */
  get nextDue(): number {
    return Math.min(...Array.from(this.#waiters, ({ step }) => step.due ?? Infinity));
  }

  /** Starts no step from now on. Returns whether none is running; otherwise `onPaused` is called later. */
  pause(): boolean {
    if (this.#bodies === 0) {
      this.leave();
      return true;
    }
    this.#state = 'pausing';
    return false;
  }

  /** Cancels a pause that has not taken effect yet. */
  resume(): void {
    this.#state = 'running';
    this.#held.resolve();
    this.#held = Promise.withResolvers();
  }

  leave(): void {
    this.#state = 'left';
    clearTimeout(this.#replayTimer);
    this.#waiters.clear();
  }

  #end(outcome: RunOutcome): void {
    if (this.#state === 'left' || this.#state === 'undoing') return;
    this.#waiters.clear();
    const undoFor = this.#ports.onEnd(outcome);
    if (undoFor !== undefined) return void this.#undo(undoFor);
    this.leave();
    this.#ports.onRest();
  }

  /** Undoes the completed steps, the last one first, until one cannot be undone. */
  async #undo(error: ErrorRecord): Promise<void> {
    if (this.#state === 'left' || this.#state === 'undoing') return;
    this.#state = 'undoing';
    clearTimeout(this.#replayTimer);
    const steps = this.#records.steps();
    const ended = Array.from(this.#undos.values(), (undo) => ({
      undo,
      step: steps.get(keyOf('do', undo.name, undo.count)),
      found: steps.get(keyOf('rollback', undo.name, undo.count)),
    })).filter(({ step }) => step?.state === 'done' || step?.state === 'failed');
    for (const { undo, step, found } of ended.toSorted((a, b) => b.step!.number - a.step!.number)) {
      if (found?.state === 'done') continue;
      if (found?.state === 'failed') break;
      const { name, count, rollback, config } = undo;
      const about = {
        ctx: { step: { name, count }, attempt: step!.attempts, config: showConfig(undo.stepConfig) },
        error: fromErrorRecord(error),
        output: step!.state === 'done' ? this.#records.outputOf(step!) : undefined,
        stepName: `${name}-${count}`,
      };
      const work = async (): Promise<void> => void (await rollback(about));
      const { state } = await this.#perform({ kind: 'rollback', name, count }, found, { config, work });
      if (state === 'failed') break;
    }
    this.leave();
    this.#ports.onUndone();
    this.#ports.onRest();
  }

  /** Waiting code continues in microtasks; steps that it starts count. */
  #lookForRest(): void {
    setImmediate(() => {
      if (this.#bodies === 0 && this.#waiters.size > 0 && this.#state !== 'replaying') this.#ports.onRest();
    });
  }

  /** Resolves when code may continue: while steps are undone, only rollbacks may. */
  async #pass(kind: StepKind): Promise<void> {
    while (this.#state === 'pausing') await this.#held.promise;
    if (this.#isOver(kind)) await never;
  }

  #isOver(kind: StepKind): boolean {
    return this.#state === 'left' || (this.#state === 'undoing' && kind !== 'rollback');
  }

  /** Steps without waits follow each other in microtasks: yields the event loop now and then. */
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
    const { config, work, rollback } = this.#readCall(name, rest);
    const { found, ...about } = this.#identify('do', name);
    await this.#pass('do');
    if (rollback !== undefined) this.#keepUndo({ ...rollback, name, count: about.count, stepConfig: config });
    if (found?.state === 'done') return this.#records.outputOf(found);
    if (found?.state === 'failed') throw fromErrorRecord(this.#records.errorOf(found));
    if (this.#state === 'replaying') return await never;
    const step = await this.#perform(about, found, { config, work });
    if (step.state === 'done') return this.#records.outputOf(step);
    throw fromErrorRecord(this.#records.errorOf(step));
  }

  /** Records on disk that the step can be undone, before it begins. */
  #keepUndo(undo: StepUndo): void {
    const about = { kind: 'rollback', name: undo.name, count: undo.count } as const;
    const key = keyOf(about.kind, undo.name, undo.count);
    this.#undos.set(key, undo);
    if (!this.#steps.has(key)) this.#records.addStep(about, { state: 'waiting', attempts: 0, due: null });
    // After the code that uses the step, so that it can request more of them first.
    if (this.#missing.delete(key) && this.#missing.size === 0) setImmediate(() => this.#onReplayed?.());
  }

  /** Attempts a step until it is completed or has failed permanently. */
  async #perform(about: AboutStep, found: StepRecord | undefined, call: StepCall): Promise<StepRecord> {
    if (found?.state === 'waiting') await this.#waitUntilDue(found);
    let step = found;
    for (;;) {
      await this.#takeTurn();
      await this.#pass(about.kind);
      step = this.#begin(about, step);
      const state = await this.#attempt(about, step, call);
      await this.#pass(about.kind);
      if (state === 'done' || state === 'failed') return step;
      await this.#waitUntilDue(step);
    }
  }

  #readCall(name: string, rest: readonly unknown[]): StepCall & { readonly rollback: Rollback | undefined } {
    const [given, work, more] = typeof rest[0] === 'function' ? [{}, ...rest] : rest;
    if (typeof work !== 'function') throw createStepError(`Step "${name}" requires a callback function`);
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
    const rollback = more === undefined ? undefined : readRollback(name, more);
    return { config, work: work as Work, rollback };
  }

  /** Records an attempt before it begins: an attempt that ends the process counts. */
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
    { config, work }: StepCall,
  ): Promise<StepRecord['state']> {
    const { name, count } = about;
    const context = { step: { name, count }, attempt: step.attempts, config: showConfig(config) };
    const outcome = await runLimited(() => work(context), readDuration(config.timeout));
    // Its result is no longer awaited.
    if (this.#isOver(about.kind)) return await never;
    try {
      const thrown = 'thrown' in outcome ? outcome.thrown : this.#finish(about, step, outcome.value);
      if (thrown !== undefined) await this.#failAttempt(about.kind, step, { thrown, config, context });
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

  /** Stores the result of the step. Returns an error if that is not possible. */
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
    kind: StepKind,
    step: StepRecord,
    failure: { readonly thrown: unknown; readonly config: StepConfig; readonly context: StepContext },
  ): Promise<void> {
    const { thrown, config, context } = failure;
    const error = toErrorRecord(thrown);
    if (isNonRetryable(thrown) || step.attempts > config.retries.limit)
      return this.#records.failStep(step, error);
    const delay = await findDelay(config, context, fromErrorRecord(error));
    if (this.#isOver(kind)) return await never;
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
    await this.#pass('sleep');
    if (found?.state === 'done') return;
    if (this.#state === 'replaying') return await never;
    const step = found ?? this.#records.addStep(about, { state: 'waiting', attempts: 0, due: findDue() });
    await this.#waitUntilDue(step);
    await this.#pass('sleep');
    this.#records.finishStep(step, null);
  }

  async #waitForEvent(
    name: string,
    { type, timeout = waitDefault }: WaitOptions,
  ): Promise<WorkflowEventRecord> {
    const ms = readDuration(timeout);
    if (Number.isNaN(ms)) throw createStepError(`The timeout of "${name}" is not valid: ${String(timeout)}`);
    const { found, ...about } = this.#identify('waitForEvent', name);
    await this.#pass('waitForEvent');
    if (found?.state === 'done') return this.#records.outputOf(found) as WorkflowEventRecord;
    if (found?.state === 'failed') throw fromErrorRecord(this.#records.errorOf(found));
    if (this.#state === 'replaying') return await never;
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
        if (step.due !== null && step.due > Date.now()) return false;
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

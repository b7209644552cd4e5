/**
 * An instance of a workflow: an SQL object that runs the code of the workflow, and stores the results of its steps.
 *
 * Promises:
 * - a step that has returned is not run again; its result is on disk before anything that follows from it leaves the
 *   object (the output gate), so a crash never undoes a step whose effects were visible outside;
 * - a step that a crash interrupts is run again, as the next attempt;
 * - until an instance has ended or is paused, its alarm is set: to when something is due, or in the past. So it
 *   continues after a crash, and its code need not be in memory while it waits.
 *
 * The alarm holds the run: it ends when the run is waiting, so while a step is running, an alarm is in progress, which
 * a crash makes due again.
 */
import { DurableObject, type DurableObjectState } from '#objects';
import { encodeValue } from '#values';
import {
  workflowHoldMsMax,
  workflowPayloadBytesMax,
  workflowRetentionMs,
  workflowRetryMs,
} from '../limits.ts';
import {
  createFatal,
  createStepError,
  createWorkflowError,
  describeFailure,
  type ErrorRecord,
} from './workflow-errors.ts';
import {
  type InstanceRecord,
  type StepKind,
  WorkflowRecords,
  type WorkflowStatus,
} from './workflow-records.ts';
import type { RunOutcome, WorkflowCode } from './workflow-code.ts';
import { WorkflowRun } from './workflow-run.ts';

/** What instances need of the program around them. */
export interface WorkflowPorts {
  /** The code of a workflow, once it is loaded; undefined if this program does not have it. */
  workflowOf(name: string): Promise<WorkflowCode | undefined>;
  log(message: string): void;
}

export interface InstanceStatus {
  readonly status: WorkflowStatus;
  readonly output: unknown;
  readonly error: ErrorRecord | undefined;
}

/** The step at which a restart begins. */
export interface RestartFrom {
  readonly name: string;
  readonly count?: number;
  readonly type?: StepKind;
}

const finalStatuses: ReadonlySet<WorkflowStatus> = new Set(['complete', 'errored', 'terminated']);

/** A pause has no effect in these states. */
const unpausedStatuses: ReadonlySet<WorkflowStatus> = new Set(['paused', 'waitingForPause', 'rollingBack']);

/** The error for which steps are undone when an instance is terminated. */
const terminated: ErrorRecord = { name: 'Error', message: 'Instance terminated during rollback' };

/** The name of the object of an instance. Neither part can have a slash. */
export function nameInstance(workflow: string, id: string): string {
  return `${workflow}/${id}`;
}

/** An alarm that holds the run. */
interface Holder {
  isResting: boolean;
  /** Makes it check again. */
  wake: () => void;
}

export class WorkflowObject extends DurableObject {
  readonly #ports: WorkflowPorts;
  readonly #records: WorkflowRecords;
  readonly #workflow: string;
  readonly #id: string;
  #run: WorkflowRun | undefined;
  #holder: Holder | undefined;

  constructor(ctx: DurableObjectState, env: unknown, ports: WorkflowPorts) {
    super(ctx, env);
    this.#ports = ports;
    const [workflow = '', id = ''] = (ctx.id.name ?? '').split('/');
    this.#workflow = workflow;
    this.#id = id;
    this.#records = new WorkflowRecords(ctx.storage);
  }

  /** Returns whether there was none. */
  create(payload: unknown): boolean {
    if (this.#records.exists) return false;
    checkSize(payload, 'params');
    this.#records.create(payload);
    this.#setAlarm(Date.now());
    return true;
  }

  status(): InstanceStatus {
    return { status: this.#status, ...this.#records.outcome() };
  }

  pause(): void {
    const status = this.#status;
    if (finalStatuses.has(status) || unpausedStatuses.has(status)) return;
    if (this.#run?.pause() ?? true) this.#becomePaused();
    else this.#records.setStatus('waitingForPause');
  }

  resume(): void {
    const { status, pausedSince } = this.#instance;
    if (status === 'waitingForPause') {
      this.#records.setStatus('running');
      this.#run?.resume();
    }
    if (status !== 'paused') return;
    this.#records.postpone(Date.now() - (pausedSince ?? Date.now()));
    this.#records.setStatus('queued');
    this.#setAlarm(Date.now());
  }

  terminate({ rollback = false }: { readonly rollback?: boolean } = {}): void {
    const status = this.#status;
    if (finalStatuses.has(status) || status === 'rollingBack')
      throw createWorkflowError(
        'Cannot terminate instance since its on a finite state',
        'instance.cannot_terminate',
      );
    this.#leaveRun();
    if (rollback && this.#records.canRollBack) {
      this.#records.beginRollback(undefined);
      return this.#setAlarm(Date.now());
    }
    this.#records.terminate();
    this.#setAlarm(Date.now() + workflowRetentionMs);
  }

  /** Deletes the instance, whatever its state. */
  async remove(): Promise<void> {
    if (!(await this.removeIfThere()))
      throw createWorkflowError('Instance does not exist', 'instance.not_found');
  }

  /** Returns whether it existed. */
  async removeIfThere(): Promise<boolean> {
    if (!this.#records.exists) return false;
    this.#leaveRun();
    this.#records.forget();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    return true;
  }

  restart(from?: RestartFrom): void {
    this.#checkExists();
    const number =
      from === undefined ? 0 : this.#records.findStep(from.type ?? 'do', from.name, from.count ?? 1);
    if (number === undefined)
      throw createWorkflowError(
        `Step "${from!.name}" not found in execution history`,
        'instance.cannot_restart',
      );
    this.#leaveRun();
    this.#records.rewind(number);
    this.#setAlarm(Date.now());
  }

  sendEvent(type: string, payload: unknown): void {
    const status = this.#status;
    if (finalStatuses.has(status)) return;
    checkSize(payload, 'payload');
    this.#records.addEvent({ type: String(type), payload, timestamp: new Date() });
    if (this.#holder === undefined) {
      if (status !== 'paused') this.#setAlarm(Date.now());
      return;
    }
    this.#holder.isResting = false;
    this.#holder.wake();
  }

  async alarm(): Promise<void> {
    if (!this.#records.exists) return;
    const { status, ended } = this.#records.instance();
    if (finalStatuses.has(status)) return await this.#forget(ended! + workflowRetentionMs);
    if (status === 'waiting') this.#records.setStatus('running');
    const holder: Holder = { isResting: false, wake() {} };
    this.#holder = holder;
    const run = this.#run ?? (await this.#startRun());
    if (run !== undefined) await this.#hold(run, holder);
    this.#holder = undefined;
  }

  async #hold(run: WorkflowRun, holder: Holder): Promise<void> {
    const holdUntil = Date.now() + workflowHoldMsMax;
    while (this.#run === run && !holder.isResting && Date.now() < holdUntil) {
      run.goOn();
      await sleepUntil(Math.min(run.nextDue, holdUntil), holder);
    }
    if (this.#run !== run) return;
    if (!holder.isResting) return this.#setAlarm(Date.now());
    if (this.#records.instance().status === 'running') this.#records.setStatus('waiting');
    this.#setAlarm(run.nextDue);
  }

  get #instance(): InstanceRecord {
    this.#checkExists();
    return this.#records.instance();
  }

  get #status(): WorkflowStatus {
    return this.#instance.status;
  }

  #checkExists(): void {
    if (!this.#records.exists) throw createStepError('instance.not_found');
  }

  /** Undefined if nothing must run now. */
  async #startRun(): Promise<WorkflowRun | undefined> {
    const code = await this.#ports.workflowOf(this.#workflow);
    const { status, created } = this.#records.instance();
    // Meanwhile a call may have changed the status, or a crash may have interrupted a pause.
    if (status === 'waitingForPause') this.#becomePaused();
    if (status === 'waitingForPause' || status === 'paused' || finalStatuses.has(status)) return undefined;
    if (code === undefined) {
      this.#ports.log(
        `workflow ${this.#workflow}: the instance ${this.#id} waits, because no Worker here has a workflow of that name`,
      );
      this.#setAlarm(Date.now() + workflowRetryMs);
      return undefined;
    }
    const isRollingBack = status === 'rollingBack';
    if (!isRollingBack) this.#records.setStatus('running');
    const run = new WorkflowRun({
      records: this.#records,
      code,
      onBegin: () => {
        // The alarm has ended, because the run seemed to be waiting: another alarm holds it from now on.
        if (this.#holder === undefined) this.#setAlarm(Date.now());
      },
      onRest: () => {
        if (this.#holder === undefined) return;
        this.#holder.isResting = true;
        this.#holder.wake();
      },
      onPaused: () => this.#becomePaused(),
      onEnd: (outcome) => this.#end(outcome, code),
      onUndone: () => this.#finishRollback(),
    });
    this.#run = run;
    const event = {
      payload: this.#records.payload(),
      timestamp: new Date(created),
      instanceId: this.#id,
      workflowName: this.#workflow,
    };
    run.start(event, isRollingBack ? (this.#records.outcome().error ?? terminated) : undefined);
    return run;
  }

  /** Returns the error for which the steps are to be undone, if they are. */
  #end(outcome: RunOutcome, { keepsFatalMessages }: WorkflowCode): ErrorRecord | undefined {
    const error = this.#keep(outcome, keepsFatalMessages);
    if (error !== undefined && this.#records.canRollBack) {
      this.#records.beginRollback(error);
      return error;
    }
    this.#leaveRun();
    if (error !== undefined) this.#fail(error);
    this.#setAlarm(Date.now() + workflowRetentionMs);
    return undefined;
  }

  #finishRollback(): void {
    this.#leaveRun();
    const { error } = this.#records.outcome();
    if (error === undefined) this.#records.terminate();
    else this.#fail(error);
    this.#setAlarm(Date.now() + workflowRetentionMs);
  }

  #fail(error: ErrorRecord): void {
    this.#records.fail(error);
    this.#ports.log(
      `workflow ${this.#workflow}: the instance ${this.#id} failed: ${error.name}: ${error.message}`,
    );
  }

  /** Stores the outcome of a run; returns the error with which the instance failed, if it did. */
  #keep(outcome: RunOutcome, keepsFatalMessages: boolean): ErrorRecord | undefined {
    if ('fatal' in outcome) return outcome.fatal;
    if ('thrown' in outcome) return describeFailure(outcome.thrown, keepsFatalMessages);
    try {
      this.#records.complete(outcome.output);
    } catch {
      return createFatal('The value that the Workflow instance returned is not serialisable');
    }
    return undefined;
  }

  #becomePaused(): void {
    this.#leaveRun();
    this.#records.setStatus('paused');
    void this.ctx.storage.deleteAlarm();
  }

  #leaveRun(): void {
    this.#run?.leave();
    this.#run = undefined;
    this.#holder?.wake();
  }

  async #forget(time: number): Promise<void> {
    if (time > Date.now()) return this.#setAlarm(time);
    this.#records.forget();
    await this.ctx.storage.deleteAll();
  }

  #setAlarm(time: number): void {
    if (time !== Infinity) void this.ctx.storage.setAlarm(time);
  }
}

/** Waits until the holder is woken, or until a time. */
async function sleepUntil(time: number, holder: Holder): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  holder.wake = resolve;
  const timer = setTimeout(resolve, time - Date.now());
  await promise;
  clearTimeout(timer);
}

function checkSize(value: unknown, what: string): void {
  const { length } = encodeValue(value);
  if (length > workflowPayloadBytesMax)
    throw new TypeError(`${what} has ${length} bytes: at most ${workflowPayloadBytesMax} are allowed`);
}

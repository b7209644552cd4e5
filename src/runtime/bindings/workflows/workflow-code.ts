/** The interface to the code of a workflow, and the notifications about a run of it. */
import type { ErrorRecord } from './workflow-errors.ts';
import type { WorkflowEventRecord, WorkflowRecords } from './workflow-records.ts';

export interface WorkflowEvent {
  readonly payload: unknown;
  readonly timestamp: Date;
  readonly instanceId: string;
  readonly workflowName: string;
}

/** The `step` argument of `run`. */
export interface WorkflowStep {
  do(name: string, ...rest: unknown[]): Promise<unknown>;
  sleep(name: string, duration: number | string): Promise<void>;
  sleepUntil(name: string, timestamp: Date | number): Promise<void>;
  waitForEvent(name: string, options: WaitOptions): Promise<WorkflowEventRecord>;
}

export interface WaitOptions {
  readonly type: string;
  readonly timeout?: number | string;
}

/** The code of a workflow. */
export interface WorkflowCode {
  readonly stepsMax: number;
  /** Whether an instance that fails with a `NonRetryableError` keeps its message. */
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
  /** Nothing happens until a step is due or an event arrives; or the run has ended. */
  readonly onRest: () => void;
  /** A step that a pause has waited for has ended. */
  readonly onPaused: () => void;
  /** Returns the error for which the steps are to be undone, if they are. */
  readonly onEnd: (outcome: RunOutcome) => ErrorRecord | undefined;
  /** The steps have been undone, or undoing one of them has failed. */
  readonly onUndone: () => void;
}

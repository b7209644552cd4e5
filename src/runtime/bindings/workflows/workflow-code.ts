/** What the code of a workflow is given, and what its surroundings are told of a run of it. */
import type { ErrorRecord } from './workflow-errors.ts';
import type { WorkflowEventRecord, WorkflowRecords } from './workflow-records.ts';

export interface WorkflowEvent {
  readonly payload: unknown;
  readonly timestamp: Date;
  readonly instanceId: string;
  readonly workflowName: string;
}

/** What `run` is given to divide its work by. */
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
  /** Answers with what the steps are to be undone for, if they are. */
  readonly onEnd: (outcome: RunOutcome) => ErrorRecord | undefined;
  /** The steps are undone, or one of them could not be. */
  readonly onUndone: () => void;
}

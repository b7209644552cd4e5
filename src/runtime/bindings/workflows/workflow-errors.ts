/** Errors of workflows, in the words of Cloudflare. */
import { toBareError } from '#rpc';

/** What a step throws that is not to be tried again. */
export class NonRetryableError extends Error {
  constructor(message: string, name = 'NonRetryableError') {
    super(message);
    this.name = name;
  }
}

/** An error as it is kept and shown. */
export interface ErrorRecord {
  readonly name: string;
  readonly message: string;
}

/** An error of the program around workflows, as the code of a workflow sees it. */
export function createStepError(message: string): Error {
  return Object.assign(new Error(message), { remote: true });
}

/** An error of a call on the binding. */
export function createWorkflowError(message: string, code: string): Error {
  return createStepError(`WorkflowError: (${code}) ${message}`);
}

/** What a step threw, as `run` sees it: the same in this life and when it is read from storage in the next. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  const { name, message } = toBareError(thrown);
  return { name, message };
}

export function fromErrorRecord({ name, message }: ErrorRecord): Error {
  return toBareError(Object.assign(new Error(message), { name }));
}

/** A name of its own does not make it another kind of error. */
export function isNonRetryable(thrown: unknown): boolean {
  return (
    thrown instanceof NonRetryableError || (thrown instanceof Error && thrown.name === 'NonRetryableError')
  );
}

const nonRetryablePrefix = /^NonRetryableError(?:: )?/;

/** What an instance has failed with, given what its `run` threw. */
export function describeFailure(thrown: unknown, keepsFatalMessages: boolean): ErrorRecord {
  const record = toErrorRecord(thrown);
  if (!nonRetryablePrefix.test(record.message)) return record;
  if (keepsFatalMessages)
    return { name: 'NonRetryableError', message: record.message.replace(nonRetryablePrefix, '') };
  return createFatal(
    'The execution of the Workflow instance was terminated, as a step threw an NonRetryableError and it was not handled',
  );
}

export function createFatal(message: string): ErrorRecord {
  return { name: 'WorkflowFatalError', message };
}

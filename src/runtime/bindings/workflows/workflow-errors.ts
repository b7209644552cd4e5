/** Errors of workflows, with Cloudflare's texts. */
import { toBareError } from '#rpc';

/** A step throws this to prevent further attempts. */
export class NonRetryableError extends Error {
  constructor(message: string, name = 'NonRetryableError') {
    super(message);
    this.name = name;
  }
}

/** An error as it is stored and shown. */
export interface ErrorRecord {
  readonly name: string;
  readonly message: string;
}

/** An error of the runtime around workflows, as the code of a workflow sees it. */
export function createStepError(message: string): Error {
  return Object.assign(new Error(message), { remote: true });
}

/** An error of a call on the binding. */
export function createWorkflowError(message: string, code: string): Error {
  return createStepError(`WorkflowError: (${code}) ${message}`);
}

/** An error of a step, as `run` sees it: the same in this life and when a later life reads it from storage. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  const { name, message } = toBareError(thrown);
  return { name, message };
}

export function fromErrorRecord({ name, message }: ErrorRecord): Error {
  return toBareError(Object.assign(new Error(message), { name }));
}

/** An own `name` does not change the kind of the error. */
export function isNonRetryable(thrown: unknown): boolean {
  return (
    thrown instanceof NonRetryableError || (thrown instanceof Error && thrown.name === 'NonRetryableError')
  );
}

const nonRetryablePrefix = /^NonRetryableError(?:: )?/;

/** The failure of an instance, given the error that its `run` threw. */
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

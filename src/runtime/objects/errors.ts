/** Errors of an object's life: why it was reset, and what its callers get for it. */
import { type DiskRefusal, diskRefusalOf } from '#files';
import { toCallerError } from '#rpc';
import { sqliteDiskRefusal } from '#sqlite';

export interface ErrorFlags {
  readonly remote?: boolean;
  readonly durableObjectReset?: boolean;
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
  /** Why the disk refuses writes. */
  readonly diskRefusal?: DiskRefusal;
}

export function flagged<E extends Error>(error: E, flags: ErrorFlags): E {
  return Object.assign(error, flags);
}

export function abortError(reason: unknown): Error {
  const text =
    reason === undefined ? 'Application called abort() to reset Durable Object.' : `${reason as string}`;
  return flagged(new Error(text), { durableObjectReset: true });
}

export function sectionTimeoutError(): Error {
  const text =
    'A call to blockConcurrencyWhile() in a Durable Object waited for too long. The call was canceled and the Durable Object was reset.';
  return flagged(new Error(text), { overloaded: true, durableObjectReset: true });
}

/** The innermost caller gets this and may continue: a section that does not catch it ends as with any other error. */
export function nestedTooDeeplyError(): Error {
  return new Error('blockConcurrencyWhile() calls are nested too deeply.');
}

export function constraintsViolatedError(cause: Error): Error {
  const text =
    'Durable Object was reset and rolled back to its last known good state because the application left the database in a state where constraints were violated: ';
  return new Error(text + cause.message, { cause });
}

export function writeFailedError(cause: Error): Error {
  const text = `Durable Object was reset because a write could not be made durable: ${cause.message}`;
  const flags = { durableObjectReset: true, retryable: true, ...diskRefusalFlag(cause) };
  return flagged(new Error(text, { cause }), flags);
}

/** The part of an error that is passed on: that a disk, or SQLite's file on one, refused writes. */
export function diskRefusalFlag(error: unknown): Pick<ErrorFlags, 'diskRefusal'> {
  const diskRefusal = diskRefusalOf(error) ?? sqliteDiskRefusal(error);
  return diskRefusal === undefined ? {} : { diskRefusal };
}

/** The error for callers of an object that cannot continue because of its environment. */
export function toResetError(error: unknown): Error {
  return flagged(toCallerError(error, { durableObjectReset: true }), diskRefusalFlag(error));
}

export function alarmTimeoutError(): Error {
  return flagged(new Error('Alarm exceeded its allowed execution time'), { durableObjectReset: true });
}

export function inaccessibleError(): Error {
  return new Error('Durable Object storage is no longer accessible.');
}

export function codeUpdatedError(): Error {
  return restarting(
    flagged(new Error('Durable Object reset because its code was updated.'), {
      durableObjectReset: true,
    }),
  );
}

export function closedError(): Error {
  return restarting(
    flagged(new Error('cannot reach the object: its runtime was closed'), { retryable: true }),
  );
}

const restarts = new WeakSet<Error>();

function restarting(error: Error): Error {
  restarts.add(error);
  return error;
}

/** Whether an object ends because the program exits or loads other code, and not because of a failure. */
export function isRestart(cause: Error): boolean {
  return restarts.has(cause);
}

/** The object has written since the state that the caller named. */
export class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
  readonly code = 'OBJECT_CHANGED';

  constructor() {
    super('the object was written to in the meantime, and nothing was changed: try again');
  }
}

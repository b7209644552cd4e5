/** Signals of requests: why one has aborted, and which requests have one that is costly to ask for. */

/** The reason that an abort has without one is worded otherwise in Node than in workerd. */
export function readAbortReason({ reason }: AbortSignal): Error {
  const isDefault = reason instanceof DOMException && reason.message === 'This operation was aborted';
  return isDefault ? new DOMException('The operation was aborted', 'AbortError') : (reason as Error);
}

/** What the signal of a request says once its answer is no longer awaited, in workerd's words. */
export function createLeftError(): DOMException {
  return new DOMException('The client has disconnected', 'AbortError');
}

const incoming = Symbol('incoming');

/** Marks a class of requests from clients: one that was passed on is no longer awaited when its client is gone. */
export function markIncoming(prototype: object): void {
  Object.defineProperty(prototype, incoming, { value: true });
}

export function isIncoming(request: object): boolean {
  return incoming in request;
}

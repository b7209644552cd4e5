/** Signals of requests: why one has aborted, and which requests have a signal that is costly to create. */

/** Node and workerd use different texts for the reason of an abort without one. */
export function readAbortReason({ reason }: AbortSignal): Error {
  const isDefault = reason instanceof DOMException && reason.message === 'This operation was aborted';
  return isDefault ? new DOMException('The operation was aborted', 'AbortError') : (reason as Error);
}

/** The abort reason of a request whose answer is no longer awaited, with workerd's text. */
export function createLeftError(): DOMException {
  return new DOMException('The client has disconnected', 'AbortError');
}

const incoming = Symbol('incoming');

/** Marks a class of requests from clients: a forwarded one is no longer awaited after its client disconnects. */
export function markIncoming(prototype: object): void {
  Object.defineProperty(prototype, incoming, { value: true });
}

export function isIncoming(request: object): boolean {
  return incoming in request;
}

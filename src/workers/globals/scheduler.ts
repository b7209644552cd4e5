/** `scheduler.wait`: a timer as a promise. */
import { wrongType } from './argument-errors.ts';

interface WaitOptions {
  readonly signal?: AbortSignal;
}

class Scheduler {
  wait(delay: number, options?: WaitOptions): Promise<void> {
    if (arguments.length === 0) throw wrongType('wait', 'Scheduler', 1, 'number');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const signal = options?.signal;
    if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
    // Looked up now: inside an object it is the object's own.
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delay);
    const abort = (): void => {
      globalThis.clearTimeout(timer);
      reject(reasonOf(signal!));
    };
    signal?.addEventListener('abort', abort, { once: true });
    return promise;
  }

  get [Symbol.toStringTag](): string {
    return 'Scheduler';
  }
}

/** The reason that an abort has without one is worded otherwise in Node. */
function reasonOf({ reason }: AbortSignal): Error {
  const isDefault = reason instanceof DOMException && reason.message === 'This operation was aborted';
  return isDefault ? new DOMException('The operation was aborted', 'AbortError') : (reason as Error);
}

export const scheduler = new Scheduler();

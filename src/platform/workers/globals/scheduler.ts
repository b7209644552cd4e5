/** `scheduler.wait`: a timer as a promise. */
import { readAbortReason, wrongType } from '#base';

interface WaitOptions {
  readonly signal?: AbortSignal;
}

class Scheduler {
  wait(delay: number, options?: WaitOptions): Promise<void> {
    if (arguments.length === 0) throw wrongType({ method: 'wait', face: 'Scheduler' }, 1, 'number');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const signal = options?.signal;
    if (signal?.aborted === true) return Promise.reject(readAbortReason(signal));
    // Looked up at the call: inside an object it is the object's own.
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delay);
    const abort = (): void => {
      globalThis.clearTimeout(timer);
      reject(readAbortReason(signal!));
    };
    signal?.addEventListener('abort', abort, { once: true });
    return promise;
  }

  get [Symbol.toStringTag](): string {
    return 'Scheduler';
  }
}

export const scheduler = new Scheduler();

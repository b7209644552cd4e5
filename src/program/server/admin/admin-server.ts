/**
 * The admin port: health and metrics, accepted by a thread of its own (`admin-thread.ts`). The program shows the thread
 * that it is alive, and answers the thread's requests.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { startThread } from '#base';
import { BoundSocket } from '#processes';
import type { ApiServer, ApiServerOptions } from '../api/api-server.ts';
import { beatMs, liveMsMax } from '../limits.ts';
import {
  type AdminAnswer,
  type AdminRequest,
  type AdminThreadData,
  type FromAdminThread,
  nowOfThreads,
  type ToAdminThread,
} from './admin-messages.ts';

export interface AdminServerOptions extends Pick<
  ApiServerOptions,
  'answer' | 'host' | 'port' | 'onError' | 'onAnswered'
> {
  /** Shorter in tests. */
  readonly liveMs?: number;
}

export async function serveAdmin(options: AdminServerOptions): Promise<ApiServer> {
  const { host, port, liveMs = liveMsMax } = options;
  // The thread owns the descriptor from now on and closes it; the handle here is never used, and so not closed either.
  const { handle } = await BoundSocket.bind({ host, port });
  const beat = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const beats = new Float64Array(beat);
  const show = (): void => void (beats[0] = nowOfThreads());
  show();
  const timer = setInterval(show, beatMs);
  timer.unref();
  const { fd } = handle as { readonly fd: number };
  const thread = startThread(new URL(`./admin-thread${extname(import.meta.filename)}`, import.meta.url), {
    workerData: { fd, host, beat, liveMs } satisfies AdminThreadData,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    execArgv: [],
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (message: ToAdminThread): void => thread.postMessage(message);
  let inFlight = 0;
  const listening = Promise.withResolvers<string>();
  thread.on('error', (error) => {
    listening.reject(error);
    options.onError(error, '');
  });
  thread.on('message', (message: FromAdminThread) => {
    if ('url' in message) return listening.resolve(message.url);
    inFlight++;
    void answer(options, message)
      .then(send)
      .finally(() => inFlight--);
  });
  const url = await listening.promise;
  thread.unref();
  return {
    url,
    get inFlight() {
      return inFlight;
    },
    renew() {},
    async close({ graceMs }) {
      thread.ref();
      const ended = once(thread, 'exit');
      send({ close: { graceMs } });
      await ended;
      clearInterval(timer);
    },
  };
}

async function answer(
  { answer: ask, onError, onAnswered }: AdminServerOptions,
  { number, ...asked }: AdminRequest,
): Promise<AdminAnswer> {
  const startedMs = performance.now();
  const request = { ...asked, readBody: async () => new Uint8Array() };
  try {
    const answered = await ask(request);
    const { status, headers, body } = answered;
    onAnswered?.(request, answered, performance.now() - startedMs);
    const whole = typeof body === 'string' || body instanceof Uint8Array ? body : null;
    return { number, status, headers, body: whole };
  } catch (error) {
    onError(error, '');
    return { number, status: 500, headers: {}, body: null };
  }
}

/** The operator door behind `node:http`. If a client disconnects, the work that it requested is cancelled. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { realClock } from '#base';
import type { HttpAnswer } from '#listeners';
import {
  type ApiRequest,
  type ApiResponse,
  fault,
  operatorCodes,
  toHttpResponse,
  writeFault,
} from '#contract';
import { clientsMax, silenceMsMax } from '../limits.ts';
import type { OperatorApi } from './operator-api.ts';

export interface AnswerHttpOptions {
  readonly onError: (error: unknown) => void;
  /** Answers requests that the API does not serve. */
  readonly others?: HttpAnswer;
}

export function answerHttp(api: OperatorApi, { onError, others }: AnswerHttpOptions): HttpAnswer {
  let clients = 0;
  return async (incoming, outgoing) => {
    if (others !== undefined && !api.serves(incoming.method!, incoming.url!))
      return await others(incoming, outgoing);
    clients++;
    try {
      await writeAnswer(
        outgoing,
        clients > clientsMax ? refuseBusy() : await api.answer(toRequest(incoming, outgoing)),
      );
    } catch (error) {
      if (!outgoing.closed) onError(error);
      outgoing.destroy();
    } finally {
      clients--;
    }
  };
}

function refuseBusy(): ApiResponse {
  return toHttpResponse(writeFault(fault(operatorCodes.operatorBusy, { fill: { count: clientsMax } })), {});
}

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): ApiRequest {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort(new Error('the client has disconnected')));
  const content = readContent(incoming);
  return {
    method: incoming.method!,
    target: incoming.url!,
    headers: incoming.headers,
    address: '',
    readBody: (bytesMax) => collect(content, bytesMax),
    content,
    signal: gone.signal,
  };
}

async function collect(
  content: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array | 'too-large'> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > bytesMax) return 'too-large';
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function* readContent(incoming: IncomingMessage): AsyncGenerator<Uint8Array, void> {
  const pieces = incoming.iterator({ destroyOnReturn: false });
  for (;;) {
    const { done, value } = await untilHeard(incoming, pieces.next());
    if (done === true) return;
    yield value as Buffer;
  }
}

async function writeAnswer(outgoing: ServerResponse, { status, headers, body }: ApiResponse): Promise<void> {
  outgoing.writeHead(status, headers);
  // An unwanted body is read and dropped, so that the client sees the answer.
  outgoing.once('finish', () => outgoing.req.resume());
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.end(body ?? undefined);
    return;
  }
  outgoing.flushHeaders();
  for await (const piece of body) {
    if (outgoing.closed) return;
    if (!outgoing.write(piece)) await untilHeard(outgoing.req, untilDrained(outgoing));
  }
  outgoing.end();
}

async function untilDrained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.closed) return;
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([once(outgoing, 'drain', { signal }), once(outgoing, 'close', { signal })]).finally(() =>
    done.abort(),
  );
}

/** A client that is silent for too long is disconnected. */
async function untilHeard<T>({ socket }: IncomingMessage, heard: Promise<T>): Promise<T> {
  const giveUp = (): void => void socket.destroy();
  const timer = realClock.setTimer(realClock.now() + silenceMsMax, giveUp, 'housekeeping');
  try {
    return await heard;
  } finally {
    timer.cancel();
  }
}

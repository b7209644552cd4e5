/** Sends a question over a pooled origin connection and reads the whole answer, which is limited in size. */
import type { Socket } from 'node:net';
import type { OriginConnection, ResponseListener } from './origin-connection.ts';
import type { OriginPools } from '../origin-pools.ts';
import { Refusal } from '../../wire/refusal.ts';
import type { ResponseHead } from '../../wire/response-head.ts';
import {
  type AskedResponse,
  SendProblem,
  type SendQuestion,
  type WrittenQuestion,
} from '../../asking/asked-response.ts';
import { answerBytesMax } from '../../asking/limits.ts';

/** Sends `loopToken` along: a question that comes back to this edge is refused. */
export function createSender(pools: OriginPools, loopToken: string): SendQuestion {
  return async (question, signal) => {
    const pool = pools.getPool(question.origin);
    const idle = pool.takeIdle();
    const first = idle && (await exchange(idle, question, { loopToken, signal }));
    // The connection had closed before the question arrived.
    if (first !== undefined && first !== 'stale') return first;
    const connection = await pool.open();
    if (connection instanceof Refusal) throw new SendProblem(describe(connection, question));
    if (signal.aborted) {
      connection.destroy();
      throw new SendProblem('it was cancelled');
    }
    const answer = await exchange(connection, question, { loopToken, signal });
    if (answer === 'stale') throw new SendProblem('the connection ended');
    return answer;
  };
}

function exchange(
  connection: OriginConnection,
  question: WrittenQuestion,
  { loopToken, signal }: { readonly loopToken: string; readonly signal: AbortSignal },
): Promise<AskedResponse | 'stale'> {
  const { promise, resolve, reject } = Promise.withResolvers<AskedResponse | 'stale'>();
  const giveUp = (): void => {
    connection.destroy();
    reject(new SendProblem('it was cancelled'));
  };
  signal.addEventListener('abort', giveUp, { once: true });
  const done = (): void => signal.removeEventListener('abort', giveUp);
  const listener = new AnswerListener(
    question,
    (answer) => (done(), resolve(answer)),
    (problem) => {
      done();
      connection.destroy();
      reject(new SendProblem(problem));
    },
  );
  connection.begin(listener, { method: 'GET', isLast: false, readMs: undefined });
  connection.writer.writeText(`${question.head}cdn-loop: ${loopToken}\r\n\r\n`);
  connection.writer.flush();
  connection.finishRequest();
  return promise;
}

class AnswerListener implements ResponseListener {
  readonly #question: WrittenQuestion;
  readonly #onAnswer: (answer: AskedResponse | 'stale') => void;
  readonly #onProblem: (problem: string) => void;
  #head: ResponseHead | undefined;
  readonly #parts: Buffer[] = [];
  #length = 0;

  constructor(
    question: WrittenQuestion,
    onAnswer: (answer: AskedResponse | 'stale') => void,
    onProblem: (problem: string) => void,
  ) {
    this.#question = question;
    this.#onAnswer = onAnswer;
    this.#onProblem = onProblem;
  }

  onHints(): void {}

  onResponseHead(head: ResponseHead): void {
    this.#head = head;
  }

  onResponseData(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > answerBytesMax) this.#onProblem(`its answer is longer than ${answerBytesMax} bytes`);
    else this.#parts.push(Buffer.from(bytes));
  }

  onResponsePause(): void {}

  onResponseEnd(): void {
    const { status, headers } = this.#head!;
    this.#onAnswer({ status, headers, body: Buffer.concat(this.#parts) });
  }

  onSwitch(_head: ResponseHead, socket: Socket): void {
    socket.destroy();
    this.#onProblem('it switched to another protocol');
  }

  onOriginFailure(refusal: Refusal, isStale: boolean): void {
    if (isStale) this.#onAnswer('stale');
    else this.#onProblem(describe(refusal, this.#question));
  }

  onOriginDrain(): void {}
}

/**
 * Leaves out addresses and connection errors, which are for the operator of the server: the reader is the owner of the
 * rule.
 */
function describe({ message, detail }: Refusal, { origin }: WrittenQuestion): string {
  if (origin.worker !== undefined && detail !== undefined) return detail.text;
  return message.replaceAll('origin', 'server').replace(/^The/, 'the').replace(/\.$/, '');
}

/** Posts batches as NDJSON, compressed. Any status other than 2xx is a failure. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type OriginRules, sendRequest } from '#outbound';
import type { Destination } from '../destination.ts';
import { answerBytesMax, attemptMsMax } from '../limits.ts';
import type { Batch, Sink } from './sink.ts';

const compress = promisify(gzip);

type HttpDestination = Extract<Destination, { readonly kind: 'http' }>;

export class HttpSink implements Sink {
  readonly #destination: HttpDestination;
  readonly #rules: OriginRules;

  constructor(destination: HttpDestination, rules: OriginRules) {
    this.#destination = destination;
    this.#rules = rules;
  }

  async send({ id, lines }: Batch, signal: AbortSignal): Promise<void> {
    const { url, headers, isVerified } = this.#destination;
    const { status } = await sendRequest({
      url,
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/x-ndjson',
        'content-encoding': 'gzip',
        'gatehouse-batch': id,
      },
      body: await compress(lines),
      rules: this.#rules,
      timeoutMs: attemptMsMax,
      bytesMax: answerBytesMax,
      isVerified,
      signal,
    });
    if (status < 200 || status > 299) throw new Error(`the receiver answered ${status}`);
  }

  async close(): Promise<void> {}
}

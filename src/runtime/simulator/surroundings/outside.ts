/** The outside of the objects, for their `fetch`: slow or failing; an answer may be lost, or a request arrive twice. */
import { hash } from '../chances/chance.ts';
import { fetchFailedText } from '../chances/losses.ts';
import { type Circumstances, drawLatency } from './network.ts';

/** A request that has arrived outside. */
export interface Delivery {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** Milliseconds since the life began. */
  readonly atMs: number;
}

const slowMsMax = 20_000;

export interface OutsideParts extends Circumstances {
  readonly answer: ((request: Request) => Response | Promise<Response>) | undefined;
}

export class Outside {
  readonly deliveries: Delivery[] = [];
  readonly #parts: OutsideParts;
  readonly #sent = new Map<string, number>();

  constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  /** A caller that aborts gets no answer; the request continues. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const { signal } = request;
    signal.throwIfAborted();
    const given = Promise.withResolvers<never>();
    const giveUp = (): void => {
      this.#parts.timeline?.add('outside', `nobody waits for ${request.method} ${request.url} any more`);
      given.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await Promise.race([this.#send(request), given.promise]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  };

  async #send(request: Request): Promise<Response> {
    const { chance, faults, time, timeline } = this.#parts;
    const what = `${request.method} ${request.url}`;
    // The body can be read only once, and a request may arrive twice.
    const body = request.body === null ? '' : await request.text();
    // Named by its content, so that its faults are the same in a story without other requests.
    const said = `${what} ${body}`;
    const number = (this.#sent.get(said) ?? 0) + 1;
    this.#sent.set(said, number);
    const name = `${what} ${hash(body, 0)} ${number}`;
    const about = hash(name, 0);
    const fate = faults.strikes('fetch', name, about) ? chance.whole(`fate ${name}`, 0, 3) : undefined;
    const deliver = async (): Promise<Response> => {
      this.deliveries.push({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body,
        atMs: time.passedMs,
      });
      timeline?.add('outside', `receives ${what}${body === '' ? '' : `: ${body.slice(0, 100)}`}`);
      return await this.#answer(request, body);
    };
    await time.wait(
      fate === 3 ? chance.between(`slow ${name}`, 0, slowMsMax) : drawLatency(chance, 'there', about),
    );
    if (fate === 0) {
      timeline?.add('outside', `${what} does not arrive`, { isFault: true });
      throw new TypeError(fetchFailedText);
    }
    const response = await deliver();
    if (fate === 2) {
      timeline?.add('outside', `${what} arrives a second time`, { isFault: true });
      await deliver();
    }
    await time.wait(drawLatency(chance, 'back', about));
    if (fate === 1) {
      timeline?.add('outside', `the answer of ${what} is lost`, { isFault: true });
      throw new TypeError(fetchFailedText);
    }
    return response;
  }

  async #answer(request: Request, body: string): Promise<Response> {
    const { answer } = this.#parts;
    if (answer === undefined)
      throw new TypeError(
        `${fetchFailedText}: ${request.method} ${request.url} reaches nothing, as simulate() was given no outside: (request) => Response`,
      );
    const { method, url, headers } = request;
    return await answer(new Request(url, { method, headers, ...(body === '' ? {} : { body }) }));
  }
}

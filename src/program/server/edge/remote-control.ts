/**
 * A control plane over the network. Its feed is read as it arrives; a feed that is silent for too long has failed.
 * Events are sent until they are accepted: while the control plane is unavailable they wait, and their queue is
 * bounded.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { BackOff } from '#base';
import type { RecordedEvent } from '#events';
import { readLines } from '#streams';
import type { FeedMessage } from '#control';
import type { OriginReport } from '#edge';
import type { RateAnswer, RateReport } from '#firewall';
import { KeptConnections, openRequest, operatorRules, type OutboundRequest, sendRequest } from '#outbound';
import type {
  EdgeReports,
  LearnedBatch,
  ServedRequests,
  TrafficBatch,
  WrittenEvents,
} from './edge-reports.ts';
import { readFeedMessage } from './read-feed-message.ts';

/** An empty line arrives every fifteen seconds. */
const silenceMsMax = 45_000;

/** A configuration contains the lists of the account. */
const lineCharactersMax = 256 * 1024 * 1024;

/** The size of the events in one call, as JSON; the API accepts four times as much. */
const eventCharactersMax = 1024 * 1024;

/** In the API's form. */
interface WrittenRateAnswer extends Pick<RateAnswer, 'after' | 'released'> {
  readonly keys_wanted: boolean;
  readonly counts: readonly {
    readonly key: string;
    readonly requests: number;
    readonly added: number;
    readonly period_ms: number;
    readonly stop_ms: number;
  }[];
}

/** The control plane answers a call at once; a batch may take long over a slow line. */
const callMsMax = 300_000;

/** The counts of a rate report, which may be of many addresses. */
const answerBytesMax = 64 * 1024 * 1024;

const retry = { msMin: 200, msMax: 10_000 };

/** The control plane has refused the call, and would refuse it again. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

export interface RemoteOptions {
  /** Ends with `/client/v4`. */
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

export class RemoteControl implements EdgeReports {
  readonly #options: RemoteOptions;
  readonly #connections = new KeptConnections();
  readonly #instance = randomUUID();
  #accountPath: Promise<string> | undefined;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  async *feed(): AsyncGenerator<FeedMessage, void> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error('the feed is silent')), silenceMsMax);
    const signal = AbortSignal.any([this.#options.signal, silence.signal]);
    try {
      const path = `${await this.#getAccount()}/edge/feed`;
      const { status, body } = await openRequest({ ...this.#toRequest('GET', path), signal });
      if (status !== 200) throw toRefusal(`GET ${path}`, status, await text(body));
      const pieces = body.setEncoding('utf8') as AsyncIterable<string>;
      for await (const line of readLines(pieces, lineCharactersMax)) {
        timer.refresh();
        const message = line === '' ? undefined : readFeedMessage(line);
        if (message !== undefined) yield message;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async writeEvents(...[zoneId, events]: WrittenEvents): Promise<void> {
    for (const part of splitTexts(events.map(writeEvent))) {
      const body = `{"zone_id":${JSON.stringify(zoneId)},"events":[${part.join(',')}]}`;
      await this.#retryUntilDone(() => this.#send('events', body));
    }
  }

  sendTraffic({ name, rows }: TrafficBatch): Promise<void> {
    const written = rows.map(({ zoneId, minute, counts }) => ({ zone_id: zoneId, minute, counts }));
    return this.#send('traffic', JSON.stringify({ batch: name, rows: written }));
  }

  sendRequests(zones: ServedRequests): Promise<void> {
    return this.#send('requests', JSON.stringify({ zones }));
  }

  sendLearned(...[zoneId, batch]: LearnedBatch): Promise<void> {
    return this.#send('learning', JSON.stringify({ zone_id: zoneId, ...batch }));
  }

  reportHealth(reports: readonly OriginReport[]): Promise<void> {
    const origins = reports.map(({ poolId, origin, address, isHealthy, reason, status, rttMs, sinceMs }) => ({
      pool_id: poolId,
      origin,
      address,
      healthy: isHealthy,
      reason: reason.slice(0, 500),
      status,
      rtt_ms: rttMs,
      since_ms: sinceMs,
    }));
    return this.#send('health', JSON.stringify({ pop: hostname(), origins }));
  }

  /** A lost report is not retried: the next report has the later counts. */
  async exchangeRates({ after, counts, keys }: Omit<RateReport, 'instance'>): Promise<RateAnswer> {
    const body = JSON.stringify({
      instance: this.#instance,
      host: hostname(),
      after,
      counts: counts.map(({ key, requests, added, periodMs, stopMs }) => ({
        key,
        requests,
        added,
        period_ms: periodMs,
        stop_ms: stopMs,
      })),
      keys: keys?.map(({ periodMs, untilMs, ...same }) => ({
        ...same,
        period_ms: periodMs,
        until_ms: untilMs,
      })),
    });
    const result = await this.#post<WrittenRateAnswer>('rates', body);
    const { after: heard, released, keys_wanted: keysWanted } = result;
    return {
      after: heard,
      released,
      keysWanted,
      counts: result.counts.map(({ period_ms, stop_ms, ...same }) => ({
        ...same,
        periodMs: period_ms,
        stopMs: stop_ms,
        isOfAllHosts: true,
      })),
    };
  }

  async #send(what: string, body: string): Promise<void> {
    await this.#post(what, body);
  }

  async #post<T>(what: string, body: string): Promise<T> {
    return await this.#call('POST', `${await this.#getAccount()}/edge/${what}`, body);
  }

  async #retryUntilDone(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#options;
    const backOff = new BackOff(retry);
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof RefusedError || signal.aborted) throw error;
        await delay(backOff.next(), undefined, { signal });
      }
    }
  }

  /** A token belongs to one account. */
  #getAccount(): Promise<string> {
    this.#accountPath ??= this.#findAccount().catch((error: unknown) => {
      this.#accountPath = undefined;
      throw error;
    });
    return this.#accountPath;
  }

  async #findAccount(): Promise<string> {
    const result = await this.#call<readonly { readonly id: string }[]>('GET', '/accounts');
    if (result[0] === undefined) throw new RefusedError('the token belongs to no account');
    return `/accounts/${result[0].id}`;
  }

  /** Returns the result in the envelope of the answer. */
  async #call<T>(method: 'GET' | 'POST', path: string, body?: string): Promise<T> {
    const answer = await sendRequest({
      ...this.#toRequest(method, path, body),
      timeoutMs: callMsMax,
      bytesMax: answerBytesMax,
      signal: this.#options.signal,
    });
    const written = answer.body.toString();
    if (answer.status < 200 || answer.status > 299)
      throw toRefusal(`${method} ${path}`, answer.status, written);
    return (JSON.parse(written) as { readonly result: T }).result;
  }

  #toRequest(method: 'GET' | 'POST', path: string, body?: string): OutboundRequest {
    const { url, token } = this.#options;
    return {
      url: url + path,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body,
      rules: operatorRules,
      connections: this.#connections,
    };
  }
}

function toRefusal(call: string, status: number, text: string): Error {
  const message = `${call} was answered ${status}: ${text.slice(0, 500)}`;
  return status >= 500 || status === 429 ? new Error(message) : new RefusedError(message);
}

/** The explanation is already JSON. */
function writeEvent({ event, judged }: RecordedEvent): string {
  const text = JSON.stringify(event);
  return judged === undefined ? `{"event":${text}}` : `{"event":${text},"judged":${judged}}`;
}

/** Splits the texts into parts that fit into one call each. */
function* splitTexts(texts: readonly string[]): Generator<readonly string[], void> {
  let part: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (part.length > 0 && characters + text.length > eventCharactersMax) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(text);
    characters += text.length;
  }
  if (part.length > 0) yield part;
}

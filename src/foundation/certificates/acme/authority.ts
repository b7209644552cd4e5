/**
 * A certificate authority that speaks ACME (RFC 8555), for one account. Every answer is checked before it is used: an
 * authority may be broken, and an address may lead to something else.
 *
 * - After a refused nonce another one is used; every answer contains the next.
 * - A refusal of the authority becomes an `AcmeError` with the authority's text, and with the time it requests before
 *   the next attempt.
 */
import { isObject } from '#base';
import { type OutboundAnswer, operatorRules, sendRequest } from '#outbound';
import { type Problem, record, type Shape, type Shaped, optional, string } from '#shapes';
import type { AccountKey, ExternalAccount } from './account-key.ts';
import { AcmeError, toUnreachable } from './acme-error.ts';
import { answerBytesMax, answerMsMax, nonceAttemptsMax } from './limits.ts';

const directoryShape = record({
  newNonce: string,
  newAccount: string,
  newOrder: string,
  revokeCert: optional(string),
  renewalInfo: optional(string),
});
type Directory = Shaped<typeof directoryShape>;

export interface AuthorityOptions {
  /** The address of its directory. */
  readonly directory: string;
  readonly key: AccountKey;
  /** The address to which it writes about certificates that expire. */
  readonly email: string | undefined;
  readonly externalAccount?: ExternalAccount | undefined;
  /** PEM certificates to trust, for an authority inside a company. */
  readonly trusted?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now?: () => number;
}

/** An answer with its address, if it names one. */
export interface AuthorityAnswer<T> {
  readonly value: T;
  readonly location: string | undefined;
  readonly retryAfterMs: number | undefined;
}

export class AcmeAuthority {
  readonly #options: AuthorityOptions;
  #directory: Promise<Directory> | undefined;
  #account: Promise<string> | undefined;
  #nonce: string | undefined;

  constructor(options: AuthorityOptions) {
    this.#options = options;
  }

  get key(): AccountKey {
    return this.#options.key;
  }

  readDirectory(): Promise<Directory> {
    return (this.#directory ??= this.#get(this.#options.directory, directoryShape));
  }

  /** The address of the account, which is opened if it does not exist. */
  openAccount(): Promise<string> {
    return (this.#account ??= this.#openAccount());
  }

  /** Reads a resource, or changes it. */
  async post<T>(url: string, payload: object | '', shape: Shape<T>): Promise<AuthorityAnswer<T>> {
    const received = await this.#post(url, payload, { kid: await this.openAccount() });
    return this.#answer(url, received, shape);
  }

  /** The certificates as PEM. */
  async download(url: string): Promise<string> {
    const { body } = await this.#post(url, '', { kid: await this.openAccount() });
    return body.toString();
  }

  /** Reads a public resource. */
  async #get<T>(url: string, shape: Shape<T>): Promise<T> {
    return this.#answer(url, await this.#send('GET', url), shape).value;
  }

  readPublic<T>(url: string, shape: Shape<T>): Promise<AuthorityAnswer<T>> {
    return this.#send('GET', url).then((received) => this.#answer(url, received, shape));
  }

  async #openAccount(): Promise<string> {
    const { key, email, externalAccount } = this.#options;
    const { newAccount } = await this.readDirectory();
    const payload = {
      termsOfServiceAgreed: true,
      ...(email === undefined ? {} : { contact: [`mailto:${email}`] }),
      ...(externalAccount === undefined
        ? {}
        : { externalAccountBinding: key.bind(externalAccount, newAccount) }),
    };
    const { headers } = await this.#post(newAccount, payload, { jwk: key.publicJwk });
    const { location } = headers;
    if (typeof location !== 'string') {
      throw new AcmeError('invalidAnswer', `${newAccount} answered without the address of the account`);
    }
    return location;
  }

  async #post(
    url: string,
    payload: object | '',
    by: { kid: string } | { jwk: object },
  ): Promise<OutboundAnswer> {
    for (let attempt = 1; ; attempt++) {
      const nonce = await this.#takeNonce();
      const body = JSON.stringify(this.#options.key.sign({ nonce, url, ...by }, payload));
      try {
        return await this.#send('POST', url, body);
      } catch (error) {
        const isNonce = error instanceof AcmeError && error.problem === 'badNonce';
        if (!isNonce || attempt >= nonceAttemptsMax) throw error;
      }
    }
  }

  async #takeNonce(): Promise<string> {
    if (this.#nonce === undefined) await this.#send('HEAD', (await this.readDirectory()).newNonce);
    const nonce = this.#nonce;
    this.#nonce = undefined;
    if (nonce === undefined) throw new AcmeError('invalidAnswer', 'the authority returns no nonces');
    return nonce;
  }

  async #send(method: 'GET' | 'HEAD' | 'POST', url: string, body?: string): Promise<OutboundAnswer> {
    const { trusted, signal } = this.#options;
    const received = await sendRequest({
      method,
      url,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/jose+json' } }),
      rules: operatorRules,
      timeoutMs: answerMsMax,
      bytesMax: answerBytesMax,
      trusted,
      signal,
    }).catch(toUnreachable);
    const nonce = received.headers['replay-nonce'];
    if (typeof nonce === 'string') this.#nonce = nonce;
    if (received.status >= 200 && received.status < 300) return received;
    throw this.#toError(url, received);
  }

  #answer<T>(url: string, received: OutboundAnswer, shape: Shape<T>): AuthorityAnswer<T> {
    const problems: Problem[] = [];
    let json: unknown;
    try {
      json = JSON.parse(received.body.toString());
    } catch {
      throw new AcmeError('invalidAnswer', `${url} did not answer with JSON`);
    }
    const value = shape.read(json, '', problems);
    const [problem] = problems;
    if (problem !== undefined) {
      throw new AcmeError(
        'invalidAnswer',
        `${url} answered in violation of RFC 8555: ${problem.pointer} ${problem.message}`,
      );
    }
    const { location } = received.headers;
    return {
      value,
      location: typeof location === 'string' ? location : undefined,
      retryAfterMs: this.#readRetryAfter(received),
    };
  }

  /** Seconds, or a date. */
  #readRetryAfter({ headers }: OutboundAnswer): number | undefined {
    const written = headers['retry-after'];
    if (typeof written !== 'string') return undefined;
    const ms = /^\d{1,9}$/.test(written)
      ? Number(written) * 1_000
      : Date.parse(written) - (this.#options.now ?? Date.now)();
    return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
  }

  #toError(url: string, received: OutboundAnswer): AcmeError {
    const retryAfterMs = this.#readRetryAfter(received);
    const after = retryAfterMs === undefined ? {} : { retryAfterMs };
    let problem: unknown;
    try {
      problem = JSON.parse(received.body.toString());
    } catch {
      // Not a problem document: a proxy in front of the authority has answered.
    }
    if (!isObject(problem) || typeof problem['type'] !== 'string') {
      return new AcmeError('invalidAnswer', `${url} answered with the status ${received.status}`, after);
    }
    return new AcmeError(problem['type'].split(':').at(-1)!, describeProblem(problem), after);
  }
}

/** The text of a problem document (RFC 7807), with those of its parts. */
export function describeProblem(problem: Readonly<Record<string, unknown>>): string {
  const parts = Array.isArray(problem['subproblems']) ? problem['subproblems'].filter(isObject) : [];
  const words = [problem, ...parts].map(({ detail, identifier }) => {
    const text = typeof detail === 'string' ? detail : '';
    return isObject(identifier) ? `${String(identifier['value'])}: ${text}` : text;
  });
  return words.filter((text) => text !== '').join('; ') || String(problem['type']);
}

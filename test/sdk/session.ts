/**
 * The official SDK against a running server. Each scenario runs twice, once with a token and once with an email
 * address and a key, in its own zones; every request is recorded, and so is every method of the SDK that was called.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import Cloudflare from 'cloudflare';
import { Gatehouse, type ReadyFacts, temporary } from '../server/gatehouse.ts';
import { methodsOf, recordCalls } from './methods.ts';
import { isServed } from './unserved.ts';

export type Plan = 'free' | 'pro' | 'business' | 'enterprise';

/** The required form of a refusal. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly pointer?: string;
  /** The id of the conflicting object. */
  readonly id?: string;
}

interface Credentials {
  readonly apiToken?: string;
  readonly apiEmail?: string;
  readonly apiKey?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  readonly body: any;
}

const errorClasses = new Map<number, new (...args: never[]) => Error>([
  [400, Cloudflare.BadRequestError],
  [401, Cloudflare.AuthenticationError],
  [403, Cloudflare.PermissionDeniedError],
  [404, Cloudflare.NotFoundError],
  [429, Cloudflare.RateLimitError],
]);

export class Session {
  readonly client: Cloudflare;
  readonly ready: ReadyFacts;
  /** Methods of the SDK that were called. */
  readonly driven = new Set<string>();
  /** Method and target of every request of the SDK. */
  readonly #sent: string[] = [];
  readonly #headers: Readonly<Record<string, string>>;
  readonly #scheme: 'token' | 'key';
  #zonesMade = 0;

  constructor(ready: ReadyFacts, scheme: 'token' | 'key') {
    this.ready = ready;
    this.#scheme = scheme;
    const { token, email, key } = ready;
    this.client = this.clientWith(
      scheme === 'token' ? { apiToken: token! } : { apiEmail: email, apiKey: key! },
    );
    this.#headers =
      scheme === 'token'
        ? { authorization: `Bearer ${token}` }
        : { 'x-auth-email': email, 'x-auth-key': key! };
  }

  get account_id(): string {
    return this.ready.account_id;
  }

  /** It ignores the environment and does not write to the console. */
  readonly clientWith = (credentials: Credentials): Cloudflare => {
    const client = new Cloudflare({
      apiToken: null,
      apiEmail: null,
      apiKey: null,
      ...credentials,
      baseURL: this.ready.api,
      logLevel: 'off',
      fetch: async (input, init) => {
        const { pathname, search } = new URL(input instanceof Request ? input.url : input);
        this.#sent.push(`${init!.method!.toUpperCase()} ${pathname.replace('/client/v4', '')}${search}`);
        return fetch(input, init);
      },
    });
    recordCalls(client, (method) => this.driven.add(method));
    return client;
  };

  /** The id of a zone that only this story uses. */
  readonly zone = async (plan: Plan): Promise<string> => (await this.namedZone(plan)).zone_id;

  readonly namedZone = async (plan: Plan): Promise<{ zone_id: string; name: string }> => {
    const name = `story${++this.#zonesMade}-${this.#scheme}.example`;
    const zone = await this.client.zones.create({ account: { id: this.account_id }, name });
    if (plan !== 'free') {
      await this.client.zones.subscriptions.create({ zone_id: zone.id, rate_plan: { id: plan } });
    }
    return { zone_id: zone.id, name };
  };

  /** The requests that the SDK makes meanwhile. */
  async sentBy(action: () => Promise<unknown>): Promise<string[]> {
    const start = this.#sent.length;
    await action();
    return this.#sent.slice(start);
  }

  /** The SDK throws its error for this status, with our code, and does not retry. */
  async refuses(call: () => PromiseLike<unknown>, refusal: Refusal): Promise<string> {
    let error: unknown;
    const sent = await this.sentBy(async () => {
      try {
        await call();
      } catch (thrown) {
        error = thrown;
      }
    });
    ok(error instanceof (errorClasses.get(refusal.status) ?? Cloudflare.APIError), String(error));
    const failure = error as InstanceType<typeof Cloudflare.APIError>;
    const [entry] = failure.errors as [ErrorEntry];
    deepEqual(
      {
        status: failure.status,
        code: entry.code,
        ...(refusal.pointer === undefined ? {} : { pointer: entry.source?.pointer }),
        ...(refusal.id === undefined ? {} : { id: entry.meta?.id }),
      },
      refusal,
      failure.message,
    );
    equal(sent.length, 1, `it was tried again: ${sent.join(', ')}`);
    return entry.message;
  }

  /** A request without the SDK: `call('PUT /zones/…', body)`. */
  readonly call = async (request: string, body?: unknown): Promise<RawAnswer> => {
    const [method, target] = request.split(' ') as [string, string];
    const response = await fetch(`${this.ready.api}${target}`, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
}

interface ErrorEntry {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
  readonly meta?: { readonly id: string };
}

/** All values of an iterator of the SDK, which must end. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  return Array.fromAsync(items);
}

/** By title. */
type Stories = Readonly<Record<string, (session: Session) => Promise<void>>>;

/** Runs stories that together call every served method of the families. */
export function drive(families: readonly string[], stories: Stories): void {
  test(`cloudflare SDK: ${families.join(', ')}`, async (t) => {
    const sessions = await notifyEach(t, stories);
    const methods = families.flatMap((family) => methodsOf(sessions[0]!.client, family)).filter(isServed);
    const undriven = methods.filter((method) => !sessions.some(({ driven }) => driven.has(method)));
    deepEqual(undriven, [], 'methods of the SDK that are served and that no story drives');
  });
}

/** Runs stories that do not belong to a family. */
export function tell(title: string, stories: Stories): void {
  test(`cloudflare SDK: ${title}`, async (t) => {
    await notifyEach(t, stories);
  });
}

async function notifyEach(t: TestContext, stories: Stories): Promise<Session[]> {
  const { ready } = await Gatehouse.start(t, {
    directory: temporary(t),
    args: ['--durability', 'os', '--rate-limit', 'false'],
  });
  const sessions = [new Session(ready, 'token'), new Session(ready, 'key')];
  for (const [title, story] of Object.entries(stories)) {
    await t.test(title, async () => {
      for (const session of sessions) await story(session);
    });
  }
  return sessions;
}

/**
 * The account of a running `gatehouse serve`, for bindings with `remote: true`: finds it from the environment, and
 * calls its API. The token never leaves this file: errors and logs do not contain it, and code of Workers cannot see
 * the environment of the program.
 *
 * Calls made by an object pass its gates, like `fetch`: its writes are on disk before anything is sent.
 */
import { runPrivileged } from '#work';
import {
  ApiError,
  Client,
  createCredentialHeaders,
  type Environment,
  isServerUrl,
  readCredentialVariables,
  readUrlVariable,
} from '#client';
import { callingSide } from '#objects';
import { createFetch, KeptConnections, operatorRules } from '#outbound';
import { callMsMax } from '../limits.ts';

const setUp =
  'eval "$(gatehouse env --for wrangler --ready-file FILE)" sets them, with the file that gatehouse serve --ready-file wrote';

/** The missing parts of the environment; undefined if it names a server and credentials. */
export function findMissing(environment: Environment): string | undefined {
  const server = readUrlVariable(environment);
  if (server === undefined)
    return `no server given: set CLOUDFLARE_API_BASE_URL and CLOUDFLARE_API_TOKEN; ${setUp}`;
  if (!isServerUrl(server.url)) return `${server.name} must be a URL such as http://127.0.0.1:8787/client/v4`;
  if (createCredentialHeaders(readCredentialVariables(environment)) === undefined)
    return `there are no credentials for ${server.url}: set CLOUDFLARE_API_TOKEN; ${setUp}`;
  return undefined;
}

export class AccountApi {
  readonly #client: Client;
  readonly #given: string | undefined;
  #account: Promise<string> | undefined;

  /** The environment must be complete. */
  constructor(environment: Environment) {
    const { url } = readUrlVariable(environment)!;
    const headers = createCredentialHeaders(readCredentialVariables(environment))!;
    // Its own connections: over the connections of `fetch`, code of the Worker would reach a server that it may not connect
    // to.
    const send = createFetch({ rules: operatorRules, connections: new KeptConnections() });
    this.#given = environment['CLOUDFLARE_ACCOUNT_ID'] ?? environment['CF_ACCOUNT_ID'];
    this.#client = new Client({
      url,
      headers,
      fetch: (target, init) => runPrivileged(() => send(target, init)),
    });
  }

  get url(): string {
    return this.#client.url;
  }

  /**
   * Calls the API for the account, with a time limit: it applies to the work, after which an answer may still stream.
   */
  async call<T>(
    work: (
      client: Client,
      input: { readonly account_id: string; readonly signal: AbortSignal },
    ) => Promise<T>,
    msMax = callMsMax,
  ): Promise<T> {
    return await callingSide.reach(async () => {
      this.#account ??= this.#findAccount();
      // Requested again by the next call: the server may have been unavailable.
      const account_id = await this.#account.catch((error: unknown) => {
        this.#account = undefined;
        throw error;
      });
      const patience = new AbortController();
      const end = setTimeout(() => patience.abort(new DOMException(`${msMax} ms`, 'TimeoutError')), msMax);
      try {
        return await work(this.#client, { account_id, signal: patience.signal });
      } finally {
        clearTimeout(end);
      }
    });
  }

  async #findAccount(): Promise<string> {
    if (this.#given !== undefined && this.#given !== '') return this.#given;
    const { result } = await this.#client.get('/accounts', { signal: AbortSignal.timeout(callMsMax) });
    const [first, second] = result;
    if (first !== undefined && second === undefined) return first.id;
    throw new Error(
      `the credentials reach ${result.length} accounts of ${this.url}: name one in CLOUDFLARE_ACCOUNT_ID`,
    );
  }
}

/** A store of the account, as a binding uses it. */
export interface RemoteStore {
  readonly id: string;
  readonly call: AccountApi['call'];
}

/** The error for a Worker's code when its binding failed. */
export function explainFailure(
  error: unknown,
  {
    binding,
    store,
    permission,
  }: { readonly binding: string; readonly store: string; readonly permission: string },
): Error {
  const say = (text: string): Error => new Error(`${binding} (remote: true): ${text}`);
  if (error instanceof ApiError) {
    if (error.status === 404)
      return say(
        `${store} was not found: correct its id in the configuration, or create it; CLOUDFLARE_ACCOUNT_ID names the account`,
      );
    if (error.status === 401 || error.status === 403 || error.has(wrongHeadersCode))
      return say(
        `the credentials of CLOUDFLARE_API_TOKEN may not use ${store}: give the token the permission "${permission}"`,
      );
  }
  if (error instanceof Error && error.name === 'TimeoutError')
    return say(`the server took too long: ${error.message}`);
  return say(error instanceof Error ? error.message : String(error));
}

/** The code for a token that no server can have issued. */
const wrongHeadersCode = 6003;

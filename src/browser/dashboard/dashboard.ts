/**
 * The routes of the page. It only answers requests for known hosts, including calls of the API with its cookie: a
 * foreign name that points here must get nothing (DNS rebinding).
 *
 * | route | what it does |
 * |---|---|
 * | `GET /session` | which program this is, who is signed in, and the CSRF token that goes with every call |
 * | `POST /session` | signs in with `{"token"}`, `{"email", "key"}` or the `{"code"}` of a link; sets the cookie |
 * | `POST /session` with `{"link": true}` | lets `gatehouse dev` print another link |
 * | `DELETE /session` | signs out |
 * | `GET /assets/…` | scripts and styles |
 * | any other `GET` of a browser | the page |
 */
import {
  type ApiRequest,
  type ApiResponse,
  Fault,
  fault,
  genericCodes,
  sessionCookie,
  writeFault,
} from '#contract';
import { signInBytesMax } from './limits.ts';
import { type PageFiles, safeHeaders } from './page-files.ts';
import { type Credentials, SignInLinks } from './sign-in-links.ts';
import { isIP } from 'node:net';

interface Session {
  readonly csrfToken: string;
  readonly expiresAtMs: number;
}

/** The sessions in the control plane. */
export interface SessionGate<Found extends Session = Session> {
  openSession(
    request: Pick<ApiRequest, 'headers' | 'address'>,
  ): Promise<Session & { readonly secret: string }>;
  findSession(headers: ApiRequest['headers']): Found | undefined;
  closeSession(session: Found): Promise<void>;
}

export interface DashboardOptions {
  /** Undefined: the page was not built. */
  readonly files: PageFiles | undefined;
  /** Undefined until the control plane is open. */
  readonly sessions: () => SessionGate | undefined;
  /** Names of the page's host, besides addresses and `localhost`. */
  readonly hosts: readonly string[];
  readonly now: () => number;
  /** Which pages exist: all, or only those of objects. */
  readonly program: 'serve' | 'dev';
  /** The name of the cookie; sessions must have the same. */
  readonly cookie?: string;
  /** Called when a user who is not signed in requests a link, to be shown where only the owner sees it. */
  readonly onLinkWanted?: () => void;
}

export class Dashboard {
  readonly #options: DashboardOptions;
  readonly #cookie: string;
  readonly #links = new SignInLinks();

  constructor(options: DashboardOptions) {
    this.#options = options;
    this.#cookie = options.cookie ?? sessionCookie;
  }

  /** Without its files, signing in is pointless. */
  get isBuilt(): boolean {
    return this.#options.files !== undefined;
  }

  /** The path of a link that signs in once with these headers. */
  createSignInLink(credentials: Credentials): string {
    // After the `#`, where neither proxies nor server logs see it.
    return `/sign-in#${this.#links.create(credentials, this.#options.now())}`;
  }

  /** Undefined if the path does not belong to the page. */
  async answer(request: ApiRequest): Promise<ApiResponse | undefined> {
    const path = request.target.split('?', 1)[0]!;
    const isRoute = path === '/session' || path.startsWith('/assets/') || isVisit(request);
    if (!isRoute) return undefined;
    if (!this.#isKnownHost(request)) return this.#refuseHost();
    if (path === '/session') return this.#answerSession(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const { files } = this.#options;
    if (files === undefined) return undefined;
    const accept = request.headers['accept-encoding'];
    if (path.startsWith('/assets/')) return files.findAsset(path, typeof accept === 'string' ? accept : '');
    return files.writeDocument();
  }

  /** Passes a request to the API, unless it has a cookie of the page and an unknown host name. */
  async guard(request: ApiRequest, api: (request: ApiRequest) => Promise<ApiResponse>): Promise<ApiResponse> {
    const hasCookie = String(request.headers['cookie'] ?? '').includes(`${this.#cookie}=`);
    return hasCookie && !this.#isKnownHost(request) ? this.#refuseHost() : await api(request);
  }

  #refuseHost(): ApiResponse {
    return {
      status: 421,
      headers: { ...safeHeaders, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      body:
        this.#options.program === 'serve'
          ? 'The dashboard is not served under this host name. Use an IP address or localhost, or add the name to the setting dashboard_hosts.\n'
          : 'The dashboard is not served under this host name. Use the address that gatehouse dev printed.\n',
    };
  }

  #isKnownHost({ headers: { host } }: ApiRequest): boolean {
    return isKnownHost(typeof host === 'string' ? host : undefined, this.#options.hosts);
  }

  async #answerSession(request: ApiRequest): Promise<ApiResponse> {
    const sessions = this.#options.sessions();
    try {
      if (sessions === undefined) throw fault(genericCodes.unavailable, { fill: { state: 'starting' } });
      if (request.method === 'GET')
        return writeJson(200, this.#toJson(sessions.findSession(request.headers)));
      checkSameOrigin(request);
      if (request.method === 'POST') return await this.#signIn(request, sessions);
      if (request.method === 'DELETE') return await this.#signOut(request, sessions);
      throw fault(genericCodes.methodNotAllowed);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { status, body } = writeFault(error);
      const { headers, ...rest } = writeJson(status, undefined);
      const { retryAfterSeconds } = error;
      const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
      return { ...rest, headers: { ...headers, ...wait }, body };
    }
  }

  async #signIn(request: ApiRequest, sessions: SessionGate): Promise<ApiResponse> {
    const body = await readJson(request);
    const { onLinkWanted } = this.#options;
    if (body['link'] === true && onLinkWanted !== undefined) {
      onLinkWanted();
      return writeJson(200, this.#toJson(undefined));
    }
    const headers = this.#toCredentials(body);
    const session = await sessions.openSession({ headers, address: request.address });
    const maxAge = Math.floor((session.expiresAtMs - this.#options.now()) / 1000);
    const cookie = `${this.#cookie}=${session.secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}`;
    return writeJson(
      200,
      this.#toJson(session),
      `${cookie}${request.isEncrypted === true ? '; Secure' : ''}`,
    );
  }

  async #signOut(request: ApiRequest, sessions: SessionGate): Promise<ApiResponse> {
    const session = sessions.findSession(request.headers);
    if (session !== undefined) await sessions.closeSession(session);
    const cookie = `${this.#cookie}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`;
    return writeJson(200, this.#toJson(undefined), cookie);
  }

  #toJson(session: Session | undefined): object {
    const { program } = this.#options;
    if (session === undefined) return { program, signed_in: false };
    const { csrfToken, expiresAtMs } = session;
    const expires = new Date(expiresAtMs).toISOString();
    return { program, signed_in: true, csrf_token: csrfToken, expires_on: expires };
  }

  #toCredentials(body: Readonly<Record<string, unknown>>): Credentials {
    const { token, email, key, code } = body;
    if (typeof code === 'string') {
      const credentials = this.#links.take(code, this.#options.now());
      if (credentials !== undefined) return credentials;
      throw fault(genericCodes.invalidJson, {
        fill: { api: 'session', reason: 'the link has been used or has expired; sign in with a token' },
      });
    }
    if (typeof token === 'string') return { authorization: `Bearer ${token.trim()}` };
    if (typeof email === 'string' && typeof key === 'string')
      return { 'x-auth-email': email.trim(), 'x-auth-key': key.trim() };
    throw fault(genericCodes.invalidJson, {
      fill: { api: 'session', reason: 'send a token, or an email and a key' },
    });
  }
}

/** Whether a browser navigates to a page: everything else gets the coded errors of the API. */
function isVisit({ method, headers: { accept } }: ApiRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && typeof accept === 'string' && accept.includes('text/html')
  );
}

/**
 * A form of another site can send anything but this header; a script of another site would need a preflight request.
 */
function checkSameOrigin({ headers }: ApiRequest): void {
  const site = headers['sec-fetch-site'];
  const isElsewhere = site !== undefined && site !== 'same-origin';
  if (isElsewhere || headers['content-type'] !== 'application/json')
    throw fault(genericCodes.methodNotAllowed);
}

async function readJson(request: ApiRequest): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await request.readBody(signInBytesMax);
  if (bytes === 'too-large') throw fault(genericCodes.bodyTooLarge, { fill: { bytes: signInBytesMax } });
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw fault(genericCodes.invalidJson, {
    fill: { api: 'session', reason: 'the body is not a JSON object' },
  });
}

function writeJson(status: number, value: unknown, cookie?: string): ApiResponse {
  return {
    status,
    headers: {
      ...safeHeaders,
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    },
    body: `${JSON.stringify(value)}\n`,
  };
}

/**
 * The host names for which the page answers. An external site can point its own name to this machine, and then its
 * scripts have the same origin as their requests here. That is impossible with an address, or with a name of another
 * owner.
 */
function isKnownHost(header: string | undefined, hosts: readonly string[]): boolean {
  if (header === undefined) return false;
  const name = header.replace(/:\d*$/, '').toLowerCase();
  const address = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  return isIP(address) !== 0 || name === 'localhost' || hosts.includes(name);
}

/**
 * The listener of the API. Every request gets exactly one response in the API's envelope, even if it is invalid: too
 * many headers, an endless body, half a request, no HTTP at all. Clients cannot make the server hold more than the
 * limits allow, or crash the process; a failure in the middle of a response closes that connection and nothing else.
 */
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { listen } from '#listeners';
import {
  type ApiResponse,
  type ApiRequest,
  Fault,
  fault,
  genericCodes,
  writeFault,
  createRequestId,
} from '#contract';
import { BoundSocket } from '#processes';
import {
  connectionsMax,
  headerBytesMax,
  headersMax,
  headersTimeoutMs,
  idleTimeoutMs,
  keepAliveMs,
  lingerMs,
  requestTimeoutMs,
  timeoutCheckMs,
} from '../limits.ts';
import { IncomingRequest } from './incoming-request.ts';
import { findFault, createHeadersTooLarge, refuseConnection } from './refuse-connection.ts';
import { writeResponse } from './write-response.ts';
import { hasLeft } from '../listening/left.ts';
import { limitConnections } from '../listening/connection-budget.ts';

export interface ApiServerOptions {
  readonly answer: (request: ApiRequest) => Promise<ApiResponse>;
  readonly host: string;
  readonly port: number;
  /** If set, the listener speaks HTTPS. */
  readonly tls?: SecureContextOptions | undefined;
  /** Receives errors while a response was created or written, with the request id that the client got. */
  readonly onError: (error: unknown, requestId: string) => void;
  /** Called after each response, with its duration. */
  readonly onAnswered?: ((request: ApiRequest, answer: ApiResponse, durationMs: number) => void) | undefined;
  /** Takes over connections that become WebSockets; without it, such requests are answered like any others. */
  readonly sockets?: SocketTaker | undefined;
  /** Shorter in tests. */
  readonly timeouts?: Timeouts;
}

/** Takes over connections. */
interface SocketTaker {
  isFor(incoming: IncomingMessage): boolean;
  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
}

interface Timeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly checkMs: number;
  readonly lingerMs: number;
}

export interface ApiServer {
  readonly url: string;
  /** The number of responses not yet written. */
  readonly inFlight: number;
  /** HTTPS only: new connections get this certificate. */
  renew(tls: SecureContextOptions): void;
  /** Stops accepting, answers received requests (for at most `graceMs`), then closes every connection. */
  close(options: { readonly graceMs: number }): Promise<void>;
}

export async function serveApi(options: ApiServerOptions): Promise<ApiServer> {
  const { host, port, tls } = options;
  const listener = new ApiListener(options);
  const { headersMs, requestMs, checkMs } = listener.timeouts;
  const { sockets } = options;
  const serverOptions: ServerOptions & { shouldUpgradeCallback(incoming: IncomingMessage): boolean } = {
    shouldUpgradeCallback: (incoming) => sockets?.isFor(incoming) === true,
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: headerBytesMax,
    // Two credential headers must count as one malformed one, not as the first of them.
    joinDuplicateHeaders: true,
    // The response of node:http would have no body.
    requireHostHeader: false,
  };
  const tlsServer =
    tls === undefined
      ? undefined
      : createTlsServer({ ...serverOptions, ...tls, handshakeTimeout: headersMs });
  const server = tlsServer ?? createServer(serverOptions);
  server.maxHeadersCount = headersMax + 1;
  limitConnections(server, { connectionsMax, clients: 'api', isKnown });
  server.timeout = idleTimeoutMs;
  listener.attach(server);
  const { handle } = await BoundSocket.bind({ host, port });
  const scheme = tls === undefined ? 'http' : 'https';
  const { url, close } = await listen(server, { host, port, handle, scheme });
  return {
    url,
    get inFlight() {
      return listener.inFlight;
    },
    renew: (context) => tlsServer?.setSecureContext(context),
    close: ({ graceMs }) => {
      listener.isClosing = true;
      return close(graceMs);
    },
  };
}

/** A client with accepted credentials or a session of the page. */
function isKnown({ headers }: IncomingMessage, { statusCode }: ServerResponse): boolean {
  const hasCredentials = ['authorization', 'x-auth-key', 'x-auth-user-service-key', 'cookie'].some(
    (name) => headers[name] !== undefined,
  );
  return hasCredentials && statusCode < 400;
}

const timeoutsDefault: Timeouts = {
  headersMs: headersTimeoutMs,
  requestMs: requestTimeoutMs,
  checkMs: timeoutCheckMs,
  lingerMs,
};

type Server = ReturnType<typeof createServer>;

class ApiListener {
  readonly timeouts: Timeouts;
  readonly #options: ApiServerOptions;
  /** The newest response of each connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>();
  /**
   * Whether the client of a connection disconnected after its first request. Later requests wait for that, in order.
   */
  readonly #departures = new WeakMap<Duplex, Promise<boolean>>();
  /** Connections with a protocol error; the parser reports them again with each byte. */
  readonly #refused = new WeakSet<Duplex>();
  inFlight = 0;
  isClosing = false;

  constructor(options: ApiServerOptions) {
    this.#options = options;
    this.timeouts = options.timeouts ?? timeoutsDefault;
  }

  attach(server: Server): void {
    server.on('request', (incoming, outgoing) => void this.#answer(incoming, outgoing, false));
    server.on('checkContinue', (incoming, outgoing) => void this.#answer(incoming, outgoing, true));
    server.on('checkExpectation', (incoming, outgoing) => {
      void this.#refuse(incoming, outgoing, fault(genericCodes.expectationFailed));
    });
    server.on('upgrade', (incoming, socket, head) => {
      this.#options.sockets?.accept(incoming, socket, head);
    });
    server.on('connect', (_incoming, socket) => {
      socket.on('error', ignore);
      const refusal = fault(genericCodes.methodNotAllowed);
      refuseConnection(socket, { fault: refusal, last: undefined, lingerMs: this.timeouts.lingerMs });
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (this.#refused.has(socket)) return;
      this.#refused.add(socket);
      socket.on('error', ignore);
      const { requestMs, lingerMs: linger } = this.timeouts;
      refuseConnection(socket, {
        fault: findFault(error, requestMs),
        last: this.#answers.get(socket),
        lingerMs: linger,
      });
    });
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse, isHeldBack: boolean): Promise<void> {
    const flaw = findFlaw(incoming);
    if (flaw !== undefined) return this.#refuse(incoming, outgoing, flaw);
    const { answer, onAnswered } = this.#options;
    const startMs = performance.now();
    const request = new IncomingRequest(incoming, outgoing, isHeldBack);
    this.#begin(incoming, outgoing);
    try {
      if (await this.#hasLeft(incoming)) return;
      const given = await answer(request);
      const isUnread = request.isBeyondUse;
      await writeResponse(outgoing, given, {
        isLast: this.isClosing,
        isUnread,
        lingerMs: this.timeouts.lingerMs,
      });
      onAnswered?.(request, given, performance.now() - startMs);
    } catch (error) {
      await this.#fail(outgoing, error);
    } finally {
      this.inFlight--;
    }
  }

  #hasLeft(incoming: IncomingMessage): Promise<boolean> {
    const known = this.#departures.get(incoming.socket);
    if (known !== undefined) return known;
    const departure = hasLeft(incoming);
    this.#departures.set(incoming.socket, departure);
    return departure;
  }

  /** For requests that the parser accepts but the API does not. */
  async #refuse(incoming: IncomingMessage, outgoing: ServerResponse, refusal: Fault): Promise<void> {
    this.#begin(incoming, outgoing);
    const { lingerMs: linger } = this.timeouts;
    const isUnread = !incoming.complete;
    await writeResponse(outgoing, toApiResponse(refusal), { isLast: true, isUnread, lingerMs: linger });
    this.inFlight--;
  }

  #begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.inFlight++;
    this.#answers.set(incoming.socket, outgoing);
    // A disconnecting client is not our error; without a listener it would be an uncaught one.
    outgoing.on('error', ignore);
  }

  async #fail(outgoing: ServerResponse, error: unknown): Promise<void> {
    const requestId = createRequestId();
    const isFault = error instanceof Fault;
    if (!isFault) this.#options.onError(error, requestId);
    const isTooLate = outgoing.headersSent || outgoing.destroyed || outgoing.socket?.writable !== true;
    if (isTooLate) return void outgoing.destroy();
    const answer = toApiResponse(
      isFault ? error : fault(genericCodes.internal, { fill: { request: requestId } }),
    );
    await writeResponse(outgoing, answer, { isLast: true, isUnread: false, lingerMs: 0 });
  }
}

function ignore(): void {}

export function toApiResponse(refusal: Fault): ApiResponse {
  const { status, body } = writeFault(refusal);
  return { status, headers: { 'content-type': 'application/json' }, body };
}

function findFlaw({ rawHeaders, headers, httpVersion }: IncomingMessage): Fault | undefined {
  if (rawHeaders.length > 2 * headersMax) return createHeadersTooLarge();
  if (httpVersion === '1.1' && headers.host !== undefined) return undefined;
  if (httpVersion === '1.0') return undefined;
  const reason = httpVersion === '1.1' ? 'the Host header is missing' : 'the version must be 1.0 or 1.1';
  return fault(genericCodes.malformedHttp, { fill: { reason } });
}

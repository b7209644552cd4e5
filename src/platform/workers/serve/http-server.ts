/**
 * The listener. Every request is answered exactly once: by the handler, or with a plain error if the handler throws or
 * the request is invalid. Clients cannot crash the process; a failure in the middle of an answer closes that connection
 * and nothing else.
 */
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { listen } from '#listeners';
import { retireConnections, socketOf, takeTransport } from '#sockets';
import { describeError } from '../errors/describe-error.ts';
import { answerInZone } from '../outbound/zone-origin.ts';
import { LightRequest } from './light-request.ts';
import { closeGraceMs, keepAliveMs, requestBodyBytesMax } from '../limits.ts';
import { RequestBodyTooLarge } from './request-body.ts';
import { responseOn, switchProtocols, wantsWebSocket } from './upgrade.ts';
import { type AskedObject, type ReadVisitor, readLocalVisitor, type Visitor } from './visitor.ts';
import { writeResponse } from './write-response.ts';

/** With an object that answers instead of the Worker, if our edge names one. */
export type FetchHandler = (request: Request, object?: AskedObject) => Response | Promise<Response>;

export interface HttpServerOptions {
  readonly fetch: FetchHandler;
  readonly port: number;
  readonly host?: string;
  /** A socket that is already bound, instead of host and port. */
  readonly handle?: object;
  /** If set, the listener speaks HTTPS. */
  readonly tls?: SecureContextOptions | undefined;
  /** Identifies the sender of a request; by default as in development. */
  readonly visitor?: ReadVisitor;
  /** Receives errors while answering; standard error by default. */
  readonly onError?: (error: unknown) => void;
  /** Shows the stack of an error to the client: for development only. */
  readonly showErrors?: boolean;
  readonly requestBodyBytesMax?: number;
  /** Called for each request when its response has been sent or its client has disconnected. */
  readonly onServed?: (served: ServedRequest) => void;
}

export interface ServedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** Undefined if the client disconnected before there was one. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** The address of the client. */
  readonly address: string;
  /** The id from an edge in front. */
  readonly ray: string | undefined;
}

export interface HttpServer {
  readonly url: string;
  /** Requests that have no response yet. */
  readonly inFlight: number;
  /** HTTPS only: new connections get this certificate. */
  renew(tls: SecureContextOptions): void;
  /** Stops accepting, answers received requests (for at most `graceMs`), then closes every connection. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

export async function serveHttp(options: HttpServerOptions): Promise<HttpServer> {
  const listener = new WorkerListener(options);
  const settings: ServerOptions & { shouldUpgradeCallback(incoming: IncomingMessage): boolean } = {
    keepAliveTimeout: keepAliveMs,
    shouldUpgradeCallback: wantsWebSocket,
  };
  const { host = '127.0.0.1', port, handle, tls } = options;
  const tlsServer = tls === undefined ? undefined : createTlsServer({ ...settings, ...tls });
  const server = tlsServer ?? createServer(settings);
  server.on('request', (incoming, outgoing) => void listener.answer(incoming, outgoing));
  server.on('upgrade', (incoming, socket, head) => void listener.upgrade(incoming, socket as Socket, head));
  const scheme = tls === undefined ? 'http' : 'https';
  const { url, close } = await listen(server, { host, port, handle, scheme });
  return {
    url,
    get inFlight() {
      return listener.inFlight;
    },
    renew: (context) => tlsServer?.setSecureContext(context),
    async close({ graceMs = closeGraceMs } = {}) {
      const closed = close(graceMs);
      await retireConnections({ graceMs });
      await closed;
    },
  };
}

class WorkerListener {
  readonly #fetch: FetchHandler;
  readonly #onError: (error: unknown) => void;
  readonly #showErrors: boolean;
  readonly #bodyBytesMax: number;
  readonly #onServed: ((served: ServedRequest) => void) | undefined;
  readonly #readVisitor: ReadVisitor;
  inFlight = 0;

  constructor(options: HttpServerOptions) {
    this.#fetch = options.fetch;
    this.#onError = options.onError ?? ((error) => console.error(error));
    this.#showErrors = options.showErrors ?? false;
    this.#bodyBytesMax = options.requestBodyBytesMax ?? requestBodyBytesMax;
    this.#onServed = options.onServed;
    this.#readVisitor = options.visitor ?? readLocalVisitor;
  }

  /** Answers a WebSocket request on its bare connection. */
  async upgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.on('error', ignore);
    const outgoing = responseOn(incoming, socket);
    await this.answer(incoming, outgoing, (request, response) => {
      const isSwitched = switchProtocols({ incoming, socket, head, outgoing }, request, response);
      if (isSwitched) outgoing.emit(switchedEvent);
      return isSwitched;
    });
  }

  /** `takeOver` returns whether it has handled the response. */
  async answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    takeOver: (request: Request, response: Response) => boolean = refuseSocket,
  ): Promise<void> {
    // A disconnecting client is not an error of ours; without a listener it would be an uncaught one.
    outgoing.on('error', ignore);
    outgoing.strictContentLength = true;
    const visitor = this.#readVisitor(incoming);
    if (this.#onServed !== undefined) notifyWhenServed({ incoming, outgoing, visitor }, this.#onServed);
    let request: LightRequest | undefined;
    this.inFlight++;
    try {
      const url = requestUrl(incoming, visitor);
      if (url === undefined) return writeError(outgoing, 400, 'the request has no valid URL');
      // A `Request` cannot have this method.
      if (incoming.method === 'TRACE') return writeError(outgoing, 405, 'TRACE is not supported');
      if (Number(incoming.headers['content-length']) > this.#bodyBytesMax) {
        throw new RequestBodyTooLarge(this.#bodyBytesMax);
      }
      request = new LightRequest({
        incoming,
        outgoing,
        url,
        createCf: visitor.cf,
        bodyBytesMax: this.#bodyBytesMax,
      });
      const response = await answerInZone(visitor.zone, () => this.#fetch(request!, visitor.object));
      if (!(response instanceof Response)) {
        throw createHandlerError(`the fetch handler must answer with a Response: ${describe(response)}`);
      }
      if (!takeOver(request, response)) await writeResponse(outgoing, response);
    } catch (error) {
      this.#fail(outgoing, error);
    } finally {
      this.inFlight--;
      if (request !== undefined) LightRequest.release(request);
    }
  }

  #fail(outgoing: ServerResponse, error: unknown): void {
    if (error instanceof RequestBodyTooLarge && !outgoing.headersSent) {
      return writeError(outgoing, 413, error.message);
    }
    if (outgoing.req.destroyed && !outgoing.req.complete) return;
    this.#onError(error);
    if (outgoing.headersSent) outgoing.destroy();
    else writeError(outgoing, 500, this.#showErrors ? describeError(error) : 'internal error');
  }
}

/** A response has handed over its connection. That does not close the connection, and does not abort the request. */
const switchedEvent = 'switched';

function ignore(): void {}

function refuseSocket(request: Request, response: Response): boolean {
  const socket = socketOf(response);
  // Throws: this is not a WebSocket request.
  if (socket !== undefined) takeTransport(request, socket);
  return false;
}

interface ServedExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly visitor: Visitor;
}

function notifyWhenServed(
  { incoming, outgoing, visitor }: ServedExchange,
  onServed: (served: ServedRequest) => void,
): void {
  const { method = '', url: target = '', headers } = incoming;
  const ray = headers['cf-ray'];
  const about = { method, target, address: visitor.address, ray: typeof ray === 'string' ? ray : undefined };
  const startedMs = performance.now();
  const tell = (status: number | undefined): void =>
    onServed({ ...about, status, durationMs: performance.now() - startedMs });
  outgoing.once('close', () => tell(outgoing.headersSent ? outgoing.statusCode : undefined));
  outgoing.once(switchedEvent, () => tell(101));
}

/** For a handler that has returned: its stack contains no frame of the handler. */
function createHandlerError(message: string): TypeError {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}`;
  return error;
}

function writeError(outgoing: ServerResponse, status: number, message: string): void {
  const body = `${message}\n`;
  const headers = { 'content-type': 'text/plain;charset=UTF-8', 'content-length': Buffer.byteLength(body) };
  outgoing.writeHead(status, headers).end(body);
}

function requestUrl(incoming: IncomingMessage, visitor: Visitor): string | undefined {
  const target = incoming.url!;
  if (!target.startsWith('/')) {
    // The form of requests to proxies, or `OPTIONS *`.
    const url = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
    return target === '*' ? requestUrlAt(incoming, visitor, '/') : url?.href;
  }
  return requestUrlAt(incoming, visitor, target);
}

function requestUrlAt(incoming: IncomingMessage, { scheme }: Visitor, path: string): string | undefined {
  const host = incoming.headers.host ?? `localhost:${incoming.socket.localPort}`;
  // A host with a slash, a question mark or an @ would extend into other parts of the URL.
  if (/[/?#@\\]/.test(host)) return undefined;
  return URL.parse(`${scheme}://${host}${path}`)?.href;
}

function describe(value: unknown): string {
  return value === null || typeof value !== 'object' ? String(value) : Object.prototype.toString.call(value);
}

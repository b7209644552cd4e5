/**
 * The `Request` that a handler gets for an incoming message. It answers the common questions (method, URL, headers,
 * `text()`, `json()`) directly from `node:http`; Node's own `Request`, with its streams and signals, is created when it
 * is needed (`body`, `clone()`, passing it to `fetch` or to `new Request`).
 *
 * Invariant: the body has one reader of the socket: either it was `#collected` or `#native` has its stream.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLeftError, markIncoming } from '#base';
import { NativeRequest } from './native-request.ts';
import { keepCf } from './request-cf.ts';
import { RequestBody } from './request-body.ts';

interface LightExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: string;
  readonly createCf: () => object;
  readonly bodyBytesMax: number;
}

const decoder = new TextDecoder();

export class LightRequest implements Request {
  readonly #exchange: LightExchange;
  #headers: Headers | undefined;
  #abort: AbortController | undefined;
  #body: RequestBody | undefined;
  #collected = false;
  #native: Request | undefined;
  #cf: object | undefined;

  constructor(exchange: LightExchange) {
    this.#exchange = exchange;
  }

  /** The form for Node's own `Request` and `fetch`, which access internals that a light one lacks. */
  static unwrap<Input>(input: Input): Input | Request {
    return typeof input === 'object' && input !== null && #exchange in input ? input.#asNative() : input;
  }

  /** Called when the answer is sent: the rest of the body must not block the connection. */
  static release(request: LightRequest): void {
    const { incoming } = request.#exchange;
    if (incoming.complete) return;
    if (request.#body === undefined) incoming.resume();
    else request.#body.abandon();
  }

  get method(): string {
    return this.#exchange.incoming.method!;
  }

  get url(): string {
    return this.#exchange.url;
  }

  get headers(): Headers {
    return (this.#headers ??= headersOf(this.#exchange.incoming));
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = (this.#abort = new AbortController());
      const { outgoing } = this.#exchange;
      const closed = (): void => {
        if (!outgoing.writableFinished) {
          abort.abort(createLeftError());
        }
      };
      if (outgoing.closed || outgoing.destroyed) closed();
      else outgoing.once('close', closed);
    }
    return this.#abort.signal;
  }

  get cf(): object {
    return (this.#cf ??= this.#exchange.createCf());
  }

  get body(): Request['body'] {
    return this.#hasBody ? this.#asNative().body : null;
  }

  get bodyUsed(): boolean {
    return this.#collected || (this.#native?.bodyUsed ?? false);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#read());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async text(): Promise<string> {
    return decoder.decode(await this.#read());
  }

  async json(): Promise<any> {
    return JSON.parse(await this.text());
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get('content-type') ?? '' });
  }

  async formData(): Promise<FormData> {
    return this.#asNative().formData();
  }

  textStream(): ReadableStream<string> {
    return this.#asNative().textStream();
  }

  clone(): Request {
    return keepCf(this, this.#asNative().clone());
  }

  // We do not follow redirects of an incoming request: a handler that forwards it passes them on, as under workerd.
  get redirect(): Request['redirect'] {
    return 'manual';
  }

  get duplex(): 'half' {
    return 'half';
  }

  get cache(): Request['cache'] {
    return this.#asNative().cache;
  }

  get credentials(): Request['credentials'] {
    return this.#asNative().credentials;
  }

  get destination(): Request['destination'] {
    return this.#asNative().destination;
  }

  get integrity(): string {
    return this.#asNative().integrity;
  }

  get keepalive(): boolean {
    return this.#asNative().keepalive;
  }

  get mode(): Request['mode'] {
    return this.#asNative().mode;
  }

  get referrer(): string {
    return this.#asNative().referrer;
  }

  get referrerPolicy(): Request['referrerPolicy'] {
    return this.#asNative().referrerPolicy;
  }

  get #hasBody(): boolean {
    const { method, headers } = this.#exchange.incoming;
    if (method === 'GET' || method === 'HEAD') return false;
    const length = headers['content-length'];
    return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  }

  async #read(): Promise<Buffer> {
    if (!this.#hasBody) return Buffer.alloc(0);
    if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read');
    if (this.#native !== undefined) return Buffer.from(await this.#native.arrayBuffer());
    this.#collected = true;
    return this.#bodyReader().collect();
  }

  #bodyReader(): RequestBody {
    const { incoming, bodyBytesMax } = this.#exchange;
    return (this.#body ??= new RequestBody(incoming, bodyBytesMax));
  }

  #asNative(): Request {
    if (this.#native === undefined) {
      const { method, headers, signal, redirect } = this;
      const init: RequestInit = { method, headers, signal, redirect };
      if (this.#hasBody) {
        init.body = this.#collected ? new Uint8Array(0) : this.#bodyReader().stream();
        init.duplex = 'half';
      }
      this.#native = new NativeRequest(this.url, init);
      // Reading marks the body as used, as the collected one is.
      if (this.#collected) void this.#native.arrayBuffer();
    }
    return this.#native;
  }
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === 'string') headers.append(name, value);
    else for (const each of value ?? []) headers.append(name, each);
  }
  return headers;
}

// Not `extends`: Node's constructor, the expensive part, must not run.
Object.setPrototypeOf(LightRequest.prototype, NativeRequest.prototype);
Object.defineProperty(LightRequest, 'name', { value: 'Request' });
markIncoming(LightRequest.prototype);

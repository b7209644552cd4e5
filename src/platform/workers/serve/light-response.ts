/**
 * A `Response` that keeps its original body. Node's own one immediately converts every body to a stream, which costs
 * more than the rest of serving a small answer; this one keeps a string or bytes unchanged, passes them to the server
 * (or to `text()`, `json()` …) directly, and creates the stream only when `body` is read.
 *
 * All code can use it as a `Response`: `instanceof` holds both ways (also for answers of the real `fetch`), static
 * methods exist, and anything that is not simple (streams, forms, blobs, invalid arguments) is delegated to Node's own.
 *
 * Invariants:
 * - status, status text and headers are final at construction; later, `#headers` alone is authoritative for headers.
 * - a body is either in `#simple` or in `#native`, never in both; it moves from the first to the second once.
 */

import { type UpgradeInit, WebSocket } from '#sockets';

/** @internal Exported for tests. */
export const NativeResponse = globalThis.Response;

type BodyInit = ConstructorParameters<typeof Response>[0];
type HeadersInit = ConstructorParameters<typeof Headers>[0];
type SimpleBody = string | Uint8Array<ArrayBuffer> | null;

/** What the server needs to send an answer without touching a stream. */
export interface SimpleAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Undefined while headers were neither set nor read: then `contentType` is complete. */
  readonly headers: Headers | undefined;
  readonly contentType: string | undefined;
  readonly body: SimpleBody;
}

const textType = 'text/plain;charset=UTF-8';
const jsonType = 'application/json';
const statusTextPattern = /^[\t\x20-\x7e\x80-\xff]*$/;
const decoder = new TextDecoder();

/** Statuses whose answers have no body; Node's own constructor creates the error. */
function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function simpleBody(body: unknown): SimpleBody | undefined {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0));
  return undefined;
}

function isSimpleInit(init: ResponseInit, body: SimpleBody): boolean {
  const { status, statusText } = init;
  if (status !== undefined) {
    if (!Number.isInteger(status) || status < 200 || status > 599) return false;
    if (body !== null && isBodiless(status)) return false;
  }
  return statusText === undefined || (typeof statusText === 'string' && statusTextPattern.test(statusText));
}

export class LightResponse implements Response {
  #status = 200;
  #statusText = '';
  #simple: SimpleBody = null;
  #simpleUsed = false;
  #contentType: string | undefined;
  #headers: Headers | undefined;
  #native: Response | undefined;
  #encodeBody: 'automatic' | 'manual' = 'automatic';
  #webSocket: WebSocket | undefined;

  constructor(body?: BodyInit, init?: ResponseInit) {
    const webSocket = webSocketIn(init, body);
    const simple = webSocket === undefined ? simpleBody(body) : null;
    if (webSocket !== undefined) {
      this.#status = 101;
      this.#statusText = init!.statusText ?? '';
      this.#headers = new Headers(init!.headers);
      this.#webSocket = webSocket;
    } else if (simple === undefined || (init && !isSimpleInit(init, simple))) {
      this.#native = new NativeResponse(body, init);
      this.#status = this.#native.status;
      this.#statusText = this.#native.statusText;
      this.#headers = this.#native.headers;
    } else {
      this.#simple = simple;
      if (typeof simple === 'string') this.#contentType = textType;
      if (init) {
        if (init.status !== undefined) this.#status = init.status;
        if (init.statusText !== undefined) this.#statusText = init.statusText;
        if (init.headers !== undefined) this.#headers = this.#headersFrom(init.headers);
      }
    }
    if ((init as { encodeBody?: unknown } | undefined)?.encodeBody === 'manual') this.#encodeBody = 'manual';
  }

  static json(data: unknown, init?: ResponseInit): Response {
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError('Value is not JSON serializable');
    const response = new LightResponse(text, init);
    // The constructor assumed plain text; a type from the caller is kept.
    if (response.#headers === undefined) response.#contentType = jsonType;
    else if (!hasContentType(init)) response.#headers.set('content-type', jsonType);
    return response;
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    if (this === LightResponse) return value instanceof NativeResponse;
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** The complete answer, with its body consumed, if the body still is in one piece. */
  static take(response: Response): SimpleAnswer | undefined {
    if (!(#simple in response) || response.#native !== undefined || response.#simpleUsed) return undefined;
    response.#simpleUsed = response.#simple !== null;
    return {
      status: response.#status,
      statusText: response.#statusText,
      headers: response.#headers,
      contentType: response.#contentType,
      body: response.#simple,
    };
  }

  /** Whether no code has set or read headers, so that they contain only the type of the body. */
  static isPlain(response: Response): boolean {
    return #simple in response && response.#headers === undefined;
  }

  /** Whether the body is already in the encoding of its `Content-Encoding`. */
  static isEncoded(response: Response): boolean {
    return #simple in response && response.#encodeBody === 'manual';
  }

  get status(): number {
    return this.#status;
  }

  get statusText(): string {
    return this.#statusText;
  }

  /** The end of a socket that this response hands over, if it does. */
  get webSocket(): WebSocket | null {
    return this.#webSocket ?? null;
  }

  get ok(): boolean {
    return this.#status >= 200 && this.#status <= 299;
  }

  get headers(): Headers {
    return (this.#headers ??= this.#headersFrom(undefined));
  }

  get type(): Response['type'] {
    return 'default';
  }

  get url(): string {
    return '';
  }

  get redirected(): boolean {
    return false;
  }

  get body(): Response['body'] {
    if (this.#native === undefined && this.#simple === null) return null;
    return this.#asNative().body;
  }

  get bodyUsed(): boolean {
    return this.#native?.bodyUsed ?? this.#simpleUsed;
  }

  async text(): Promise<string> {
    if (this.#native !== undefined) return this.#native.text();
    const body = this.#take();
    if (body === null) return '';
    if (typeof body !== 'string') return decoder.decode(body);
    // The result of encoding to bytes and decoding.
    return (body.charCodeAt(0) === 0xfeff ? body.slice(1) : body).toWellFormed();
  }

  async json(): Promise<any> {
    return JSON.parse(await this.text());
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#native !== undefined) return new Uint8Array(await this.#native.arrayBuffer());
    const body = this.#take();
    // A copy where a clone may still hold the same bytes.
    return typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body ?? []);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async blob(): Promise<Blob> {
    const type = this.headers.get('content-type') ?? '';
    return new Blob([await this.bytes()], { type });
  }

  async formData(): Promise<FormData> {
    if (this.#native !== undefined) return this.#native.formData();
    const { headers } = this;
    return new NativeResponse(await this.bytes(), { headers }).formData();
  }

  textStream(): ReadableStream<string> {
    return this.#asNative().textStream();
  }

  clone(): Response {
    if (this.#webSocket !== undefined) {
      throw new TypeError('Cannot clone a response to a WebSocket handshake.');
    }
    const { status, statusText, headers } = this;
    const init = { status, statusText, headers, encodeBody: this.#encodeBody };
    if (this.#native !== undefined) return new LightResponse(this.#native.clone().body, init);
    if (this.#simpleUsed) throw new TypeError('Response.clone: Body has already been consumed.');
    return new LightResponse(this.#simple, init);
  }

  #headersFrom(init: HeadersInit | undefined): Headers {
    const headers = new Headers(init);
    if (this.#contentType !== undefined && !headers.has('content-type')) {
      headers.set('content-type', this.#contentType);
    }
    return headers;
  }

  #take(): SimpleBody {
    if (this.#simpleUsed) throw new TypeError('Body is unusable: Body has already been read');
    this.#simpleUsed = this.#simple !== null;
    return this.#simple;
  }

  #asNative(): Response {
    if (this.#native === undefined) {
      this.#native = new NativeResponse(this.#simple as BodyInit);
      // Reading marks the stream as used, as the simple body was.
      if (this.#simpleUsed) void this.#native.arrayBuffer();
      this.#simple = null;
    }
    return this.#native;
  }
}

/** The socket of a response; throws if the response cannot have one. */
function webSocketIn(init: UpgradeInit | null | undefined, body: unknown): WebSocket | undefined {
  const webSocket = init?.webSocket;
  if (webSocket === undefined || webSocket === null) {
    if (init?.status !== 101) return undefined;
    throw new RangeError(
      'Responses may only be constructed with status codes in the range 200 to 599, inclusive.',
    );
  }
  if (!(webSocket instanceof WebSocket)) {
    throw new TypeError(
      "Incorrect type for the 'webSocket' field on 'InitializerDict': the provided value is not of type 'WebSocket'.",
    );
  }
  if (init?.status !== 101) throw new RangeError('Responses with a WebSocket must have status code 101.');
  if (body !== undefined && body !== null && body !== '') {
    throw new TypeError('Response with null body status (101, 204, 205, or 304) cannot have a body.');
  }
  return webSocket;
}

function hasContentType(init: ResponseInit | undefined): boolean {
  return init?.headers !== undefined && new Headers(init.headers).has('content-type');
}

// Not `extends`: Node's constructor, the expensive part, must not run.
Object.setPrototypeOf(LightResponse.prototype, NativeResponse.prototype);
Object.setPrototypeOf(LightResponse, NativeResponse);
Object.defineProperty(LightResponse, 'name', { value: 'Response' });
// Also on answers of the real `fetch`.
Object.defineProperty(NativeResponse.prototype, 'webSocket', { value: null, configurable: true });

/** `EventSource`: the events of a server, read from a stream as they arrive. */
import { wrongConstruction } from '#base';
import { EventStreamReader } from '#streams';

interface EventSourceInit {
  readonly withCredentials?: boolean;
  /** Used instead of the global `fetch`. */
  readonly fetcher?: { fetch(request: Request): Promise<Response> };
}

const states = { connecting: 0, open: 1, closed: 2 } as const;

/** How long to wait before reconnecting, unless the server sets another time. */
const reconnectMsDefault = 2_000;

export class EventSource extends EventTarget {
  /** Empty for an existing stream. */
  readonly #url: string;
  readonly #fetcher: EventSourceInit['fetcher'];
  #readyState: number = states.connecting;
  #abort = new AbortController();
  #reconnectMs = reconnectMsDefault;
  #lastEventId = '';

  constructor(url: string | URL | ReadableStream, init: EventSourceInit = {}) {
    super();
    if (arguments.length === 0) throw wrongConstruction('EventSource', 1, 'string');
    if (init.withCredentials === true) {
      throw new DOMException(
        'The init.withCredentials option is not supported. It must be false or undefined.',
        'NotSupportedError',
      );
    }
    this.#fetcher = init.fetcher;
    if (url instanceof ReadableStream) {
      this.#url = '';
      void this.#followOnce(url);
      return;
    }
    const target = URL.parse(String(url));
    if (target === null) {
      throw new DOMException(
        `Cannot open an EventSource to '${String(url)}'. The URL is invalid.`,
        'SyntaxError',
      );
    }
    this.#url = target.href;
    void this.#connect();
  }

  /** The events of an existing stream. */
  static from(stream: ReadableStream): EventSource {
    return new EventSource(stream);
  }

  get url(): string {
    return this.#url;
  }

  get withCredentials(): boolean {
    return false;
  }

  get readyState(): number {
    return this.#readyState;
  }

  close(): void {
    this.#readyState = states.closed;
    this.#abort.abort();
  }

  async #connect(): Promise<void> {
    while (this.#readyState !== states.closed) {
      const isOver = await this.#readOnce().catch((error: unknown) => this.#report(error));
      if (isOver === true) return this.close();
      if (this.#isClosed()) return;
      this.#readyState = states.connecting;
      this.#dispatch(new Event('error'));
      await new Promise((resolve) => void globalThis.setTimeout(resolve, this.#reconnectMs));
    }
  }

  /** Reads one response to its end; returns whether the server wants no further request. */
  async #readOnce(): Promise<boolean> {
    const headers = new Headers({ accept: 'text/event-stream', 'cache-control': 'no-cache' });
    if (this.#lastEventId !== '') headers.set('last-event-id', this.#lastEventId);
    const request = new Request(this.#url, { headers, signal: this.#abort.signal });
    const response = await (this.#fetcher === undefined ? fetch(request) : this.#fetcher.fetch(request));
    const type = response.headers.get('content-type')?.split(';')[0]?.trim();
    if (response.status !== 200 || type !== 'text/event-stream' || response.body === null) {
      await response.body?.cancel();
      this.#report(
        response.status === 200
          ? new Error(`The content type '${type ?? ''}' is invalid.`)
          : new Error(`The response status code was ${response.status}.`),
      );
      return true;
    }
    await this.#follow(response.body);
    return false;
  }

  /** A stream cannot be requested again: its end is an error. */
  async #followOnce(stream: ReadableStream): Promise<void> {
    await this.#follow(stream).catch(() => {});
    if (this.#isClosed()) return;
    this.close();
    this.#dispatch(new Event('error'));
  }

  async #follow(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    this.#readyState = states.open;
    this.#dispatch(new Event('open'));
    const reader = new EventStreamReader();
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      if (this.#isClosed()) return;
      for (const { type, data, lastEventId, retryMs } of reader.read(text)) {
        if (retryMs !== undefined) this.#reconnectMs = retryMs;
        this.#lastEventId = lastEventId;
        if (data !== undefined)
          this.#dispatch(new MessageEvent(type, { data, lastEventId, origin: this.#origin() }));
      }
    }
  }

  #origin(): string {
    return this.#url === '' ? '' : new URL(this.#url).origin;
  }

  #isClosed(): boolean {
    return this.#readyState === states.closed;
  }

  #report(error: unknown): undefined {
    if (!this.#isClosed()) this.#dispatch(new ErrorEvent('error', { error, message: String(error) }));
  }

  #dispatch(event: Event): void {
    const assigned: unknown = Reflect.get(this, `on${event.type}`);
    if (typeof assigned === 'function') Reflect.apply(assigned, this, [event]);
    this.dispatchEvent(event);
  }
}

for (const [name, value] of Object.entries(states)) {
  for (const holder of [EventSource, EventSource.prototype]) {
    Object.defineProperty(holder, name.toUpperCase(), { value, enumerable: true });
  }
}

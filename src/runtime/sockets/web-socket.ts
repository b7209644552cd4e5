/** `WebSocket` as Workers code sees it: an end of a pair, of an accepted connection, or of one it opened itself. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import { markAsUncloneable } from 'node:worker_threads';
import { wrongConstruction, wrongType } from '#base';
import { refuseToStore } from '#values';
import { checkSocketUrl, openSocket } from './network/client.ts';
import { socketSettings } from './settings.ts';
import { readyStates, SocketEnd } from './socket-end.ts';
import { abnormalCode, type Data, noStatusCode } from './transport.ts';

interface AcceptOptions {
  readonly allowHalfOpen?: boolean;
}

type SocketListener = Parameters<EventTarget['addEventListener']>[1];

export const lostReason = 'WebSocket disconnected without sending Close frame.';

const guards = new WeakSet<object>();

export class WebSocket extends EventTarget {
  readonly #end: SocketEnd;
  #binaryType = socketSettings().binaryType;
  #allowsHalfOpen = false;
  #isClient = false;
  /** Wrappers of listeners, so that their errors go to the socket and not to the process. */
  #guarded: WeakMap<object, (event: Event) => void> | undefined;
  /** The error that a listener of the current event has thrown. */
  #thrown: { readonly error: unknown } | undefined;
  #detach: (() => void) | undefined;
  #run: (<T>(work: () => T) => T) | undefined;

  constructor(url: string | URL | SocketEnd, protocols?: string | readonly string[]) {
    super();
    // A copy would have no connection.
    markAsUncloneable(this);
    if (url instanceof SocketEnd) {
      this.#end = url;
      return;
    }
    if (arguments.length === 0) throw wrongConstruction('WebSocket', 1, 'string');
    const target = checkSocketUrl(String(url), protocols);
    this.#end = new SocketEnd(undefined, target.url.href);
    this.#isClient = true;
    this.#end.claim();
    this.#open(target);
  }

  /** The `SocketEnd` of a `WebSocket`; undefined for any other value. */
  static endOf(value: unknown): SocketEnd | undefined {
    return typeof value === 'object' && value !== null && #end in value ? value.#end : undefined;
  }

  get readyState(): number {
    return this.#end.readyState;
  }

  get url(): string | null {
    return this.#end.url;
  }

  get protocol(): string | null {
    return this.#end.protocol;
  }

  get extensions(): string | null {
    return this.#end.extensions;
  }

  get binaryType(): string {
    return this.#binaryType;
  }

  set binaryType(type: string) {
    if (type === 'blob' || type === 'arraybuffer') this.#binaryType = type;
  }

  accept(options?: AcceptOptions | null): void {
    const end = this.#end;
    if (this.#isClient) {
      throw new TypeError("Websockets obtained from the 'new WebSocket()' constructor cannot call accept");
    }
    if (options !== undefined && options !== null && typeof options !== 'object') {
      throw wrongType({ method: 'accept', face: 'WebSocket' }, 1, 'AcceptOptions');
    }
    end.claim();
    if (end.use === 'accepted') return;
    if (end.use === 'hibernatable') {
      throw new TypeError("Can't accept() WebSocket after enabling hibernation.");
    }
    if (end.use === 'passed') {
      throw new TypeError("Can't accept() WebSocket that was already used in a response.");
    }
    this.#allowsHalfOpen = Boolean(options?.allowHalfOpen);
    this.#begin();
  }

  send(message: unknown): void {
    if (arguments.length === 0) {
      throw wrongType({ method: 'send', face: 'WebSocket' }, 1, 'ArrayBuffer or ArrayBufferView or string');
    }
    this.#end.send(toData(message));
  }

  close(code?: number, reason?: string): void {
    this.#end.close(
      code === undefined ? undefined : toCode(code),
      reason === undefined ? undefined : `${reason}`,
    );
  }

  serializeAttachment(value: unknown): void {
    if (arguments.length === 0)
      throw wrongType({ method: 'serializeAttachment', face: 'WebSocket' }, 1, 'Value');
    this.#end.attach(value);
  }

  deserializeAttachment(): unknown {
    return this.#end.readAttachment();
  }

  override addEventListener(
    type: string,
    listener: SocketListener,
    options?: AddEventListenerOptions | boolean,
  ): void {
    super.addEventListener(type, this.#guard(listener), options);
  }

  override removeEventListener(
    type: string,
    listener: SocketListener,
    options?: EventListenerOptions | boolean,
  ): void {
    super.removeEventListener(type, this.#guard(listener), options);
  }

  #guard(listener: SocketListener): SocketListener {
    if ((typeof listener !== 'function' && typeof listener !== 'object') || listener === null)
      return listener;
    const known = this.#guarded?.get(listener);
    if (known !== undefined) return known;
    // Node removes a listener whose signal has aborted by passing the wrapper that it received.
    if (guards.has(listener)) return listener;
    const guarded = (event: Event): void => {
      try {
        if (typeof listener === 'function') listener.call(this, event);
        else listener.handleEvent(event);
      } catch (error) {
        this.#thrown ??= { error };
      }
    };
    guards.add(guarded);
    (this.#guarded ??= new WeakMap()).set(listener, guarded);
    return guarded;
  }

  /** Calls the listeners; returns whether none of them threw. */
  #dispatch(event: Event): boolean {
    this.#thrown = undefined;
    const assigned: unknown = Reflect.get(this, `on${event.type}`);
    if (typeof assigned === 'function') {
      try {
        Reflect.apply(assigned, this, [event]);
      } catch (error) {
        this.#thrown = { error };
      }
    }
    this.dispatchEvent(event);
    return this.#thrown === undefined;
  }

  /** Starts to receive, in the async context of the calling code. */
  #begin(): void {
    const end = this.#end;
    end.use = 'accepted';
    end.partner = undefined;
    this.#run = AsyncLocalStorage.snapshot();
    this.#detach ??= end.owner.attach(() => end.cut());
    end.start({
      message: (data) => this.#receive(data.length, () => this.#onMessage(data)),
      closed: (code, reason) => this.#receive(0, () => this.#onClosed(code, reason)),
      lost: () => this.#receive(0, () => this.#onLost()),
      failed: (error) => this.#receive(0, () => this.#onFailed(error)),
    });
  }

  #receive(bytes: number, event: () => void): void {
    const end = this.#end;
    end.arrive(bytes, (begin) => {
      end.owner.deliver(() => {
        begin();
        if (!end.isDone) this.#run!(event);
      });
    });
  }

  #onMessage(data: Data): void {
    this.#dispatchOrFail(new MessageEvent('message', { data: this.#toMessage(data) }));
  }

  #toMessage(data: Data): unknown {
    if (typeof data === 'string') return data;
    return this.#binaryType === 'blob' ? new Blob([data]) : data.buffer;
  }

  #onClosed(code: number, reason: string): void {
    const end = this.#end;
    end.noteClosedThere();
    if (this.#isClient || (socketSettings().repliesToClose && !this.#allowsHalfOpen)) {
      end.sendClose(code === noStatusCode ? undefined : code, reason);
    }
    this.#dispatchOrFail(new CloseEvent('close', { code, reason, wasClean: true }));
    if (end.isDone) this.#finish();
  }

  #onLost(): void {
    this.#dispatchOrFail(
      new CloseEvent('close', { code: abnormalCode, reason: lostReason, wasClean: false }),
    );
    this.#end.noteClosedThere();
    this.#end.noteLost();
    this.#finish();
  }

  #onFailed(error: Error): void {
    this.#end.fail();
    this.#dispatch(new ErrorEvent('error', { message: error.message, error }));
    this.#finish();
  }

  /** An error of a listener closes the connection. */
  #dispatchOrFail(event: Event): void {
    if (this.#dispatch(event)) return;
    const { error } = this.#thrown!;
    this.#end.fail();
    const message = `Uncaught ${describeThrown(error)}`;
    this.#dispatch(new ErrorEvent('error', { message, error }));
    this.#finish();
  }

  #finish(): void {
    this.#detach?.();
    this.#detach = undefined;
  }

  #open(target: ReturnType<typeof checkSocketUrl>): void {
    const end = this.#end;
    const { owner } = end;
    this.#run = AsyncLocalStorage.snapshot();
    this.#detach = owner.attach(() => end.cut());
    owner.say(() => {
      openSocket(target).then(
        (transport) =>
          owner.deliver(() => {
            if (end.isDone) return transport.cut();
            end.connect(transport);
            end.protocol = transport.protocol === '' ? null : transport.protocol;
            this.#begin();
            this.#run!(() => this.#dispatchOrFail(new Event('open')));
          }),
        () => owner.deliver(() => this.#run!(() => this.#failToOpen())),
      );
    });
  }

  #failToOpen(): void {
    const reason = 'Failed to establish websocket connection';
    this.#end.fail();
    this.#dispatch(new ErrorEvent('error', { message: reason, error: new Error(reason) }));
    this.#dispatch(new CloseEvent('close', { code: abnormalCode, reason, wasClean: false }));
    this.#finish();
  }
}

for (const [name, value] of Object.entries(readyStates)) {
  for (const holder of [WebSocket, WebSocket.prototype]) {
    for (const key of [name.toUpperCase(), `READY_STATE_${name.toUpperCase()}`]) {
      Object.defineProperty(holder, key, { value, enumerable: true });
    }
  }
}
Object.defineProperty(WebSocket.prototype, Symbol.toStringTag, { value: 'WebSocket', configurable: true });
refuseToStore(WebSocket.prototype);

function toData(message: unknown): Data {
  if (typeof message === 'string') return message.toWellFormed();
  if (ArrayBuffer.isView(message)) {
    return new Uint8Array(message.buffer, message.byteOffset, message.byteLength).slice();
  }
  // A copy: the sender may change its bytes before they leave.
  if (types.isAnyArrayBuffer(message)) return new Uint8Array(message.slice(0) as ArrayBuffer);
  return `${message as string}`.toWellFormed();
}

/** Converts to a number as an interface definition does for a small one. */
function toCode(code: unknown): number {
  const number = Math.trunc(+(code as number));
  return Number.isFinite(number) ? number : 0;
}

function describeThrown(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
}

/**
 * The hibernating sockets of one object. They outlive the instance: when the object is put away, each socket's end with
 * its attachment, its tags and the time of its last automatic response are kept. The next event wakes the object.
 *
 * Invariants:
 * - A socket is listed from its acceptance until the handler of its end has ended.
 * - Each socket is one `WebSocket` in one life of the object.
 * - Events reach the handlers in the order of their arrival.
 */
import { wrongType } from '#base';
import {
  autoResponseBytesMax,
  eventTimeoutMsMax,
  socketsPerObjectMax,
  tagBytesMax,
  tagsMax,
} from './limits.ts';
import type { SocketOwner } from './owner.ts';
import { WebSocketRequestResponsePair } from './request-response-pair.ts';
import type { SocketEnd } from './socket-end.ts';
import { TagIndex } from './tag-index.ts';
import { abnormalCode, type Data, type Receiver, restartCode } from './transport.ts';
import { lostReason, WebSocket } from './web-socket.ts';

/** One life of the object. */
export interface SocketHost {
  readonly owner: SocketOwner;
  readonly instance: object;
}

export interface ObjectSocketsParts {
  /**
   * Admits an event into the object, which is woken if necessary. Events enter in order. `timeoutMs` is called when the
   * event begins. Rejects if the object breaks.
   */
  enter(event: (host: SocketHost) => Promise<void>, timeoutMs: () => number | undefined): Promise<void>;
  now(): number;
  log(message: string, error: unknown): void;
}

interface HeldSocket {
  readonly end: SocketEnd;
  readonly tags: readonly string[];
  autoResponseAt: number | undefined;
  /** The socket in this life of the object. */
  socket: WebSocket | undefined;
}

interface SocketEvent {
  readonly name: HandlerName;
  readonly args: readonly unknown[];
  /** Called when the event enters. */
  begin(): void;
  /** Called at the handler's first `await`, or when it has ended. */
  onHandled?(): void;
}

type HandlerName = 'webSocketMessage' | 'webSocketClose' | 'webSocketError';

const face = 'DurableObjectState';
const unsignedMax = 2 ** 32 - 1;

export class ObjectSockets {
  readonly #parts: ObjectSocketsParts;
  readonly #held = new Map<SocketEnd, HeldSocket>();
  readonly #byTag = new TagIndex<HeldSocket>();
  /** Closed by the other end and not by the object: they end with this life. */
  readonly #unanswered = new Set<SocketEnd>();
  #autoResponse: WebSocketRequestResponsePair | undefined;
  #eventTimeoutMs: number | undefined;

  constructor(parts: ObjectSocketsParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#held.size;
  }

  accept(owner: SocketOwner, socket: unknown, tags: unknown): void {
    const end = WebSocket.endOf(socket);
    if (end === undefined) throw wrongType({ method: 'acceptWebSocket', face }, 1, 'WebSocket');
    const texts = readTags(tags);
    end.claim();
    this.#checkAcceptable(end);
    if (this.#held.size >= socketsPerObjectMax) {
      throw new Error(
        `only ${socketsPerObjectMax} websockets can be accepted on a single Durable Object instance`,
      );
    }
    end.use = 'hibernatable';
    end.partner = undefined;
    end.handTo(owner);
    const held: HeldSocket = { end, tags: texts, autoResponseAt: undefined, socket: socket as WebSocket };
    this.#held.set(end, held);
    this.#byTag.add(held, texts);
    end.start(this.#receiverOf(held));
  }

  /** All sockets, the newest first; or those with a tag, the oldest first. */
  list(owner: SocketOwner, tag: string | undefined): WebSocket[] {
    const held = tag === undefined ? [...this.#held.values()].reverse() : this.#byTag.find(tag);
    return held.map((each) => socketIn(owner, each));
  }

  tagsOf(socket: unknown): string[] {
    const end = WebSocket.endOf(socket);
    if (end === undefined) throw wrongType({ method: 'getTags', face }, 1, 'WebSocket');
    const held = this.#held.get(end);
    if (held !== undefined) return [...held.tags];
    if (end.use === 'accepted') throw new Error('only hibernatable websockets can have tags.');
    throw new Error("you must call 'acceptWebSocket()' before attempting to access the tags of a WebSocket.");
  }

  get autoResponse(): WebSocketRequestResponsePair | null {
    return this.#autoResponse ?? null;
  }

  setAutoResponse(pair: unknown): void {
    if (pair !== undefined && !WebSocketRequestResponsePair.is(pair)) {
      throw wrongType({ method: 'setWebSocketAutoResponse', face }, 1, 'WebSocketRequestResponsePair');
    }
    for (const half of ['request', 'response'] as const) {
      const bytes = Buffer.byteLength(pair?.[half] ?? '');
      if (bytes <= autoResponseBytesMax) continue;
      const name = half === 'request' ? 'Request' : 'Response';
      throw new RangeError(
        `${name} cannot be larger than ${autoResponseBytesMax} bytes. A ${half} of size ${bytes} was provided.`,
      );
    }
    this.#autoResponse = pair;
  }

  autoResponseTime(socket: unknown): Date | null {
    const end = WebSocket.endOf(socket);
    if (end === undefined)
      throw wrongType({ method: 'getWebSocketAutoResponseTimestamp', face }, 1, 'WebSocket');
    const time = this.#held.get(end)?.autoResponseAt;
    return time === undefined ? null : new Date(time);
  }

  get eventTimeoutMs(): number | null {
    return this.#eventTimeoutMs ?? null;
  }

  setEventTimeout(value: unknown): void {
    const ms = value === undefined ? 0 : toUnsigned(value);
    if (ms > eventTimeoutMsMax) throw new Error(`Event timeout should not exceed ${eventTimeoutMsMax} ms.`);
    this.#eventTimeoutMs = ms === 0 ? undefined : ms;
  }

  /** The object is put away: its sockets stay open. A client's close frame gets no answer. */
  sleep(): void {
    for (const end of this.#unanswered) end.cut();
    this.#unanswered.clear();
    for (const held of this.#held.values()) held.socket = undefined;
  }

  /** The object has broken: its sockets are closed, and the clients asked to reconnect if it only restarts. */
  end({ isRestart }: { readonly isRestart: boolean }): void {
    for (const end of [...this.#held.keys(), ...this.#unanswered]) {
      if (isRestart) end.restart(restartCode, 'Service Restart');
      else end.fail();
    }
    this.#held.clear();
    this.#byTag.clear();
    this.#unanswered.clear();
  }

  #checkAcceptable(end: SocketEnd): void {
    if (end.use === 'accepted' || end.use === 'hibernatable') {
      throw new Error('Cannot call `acceptWebSocket()` if the WebSocket was already accepted via `accept()`');
    }
    if (end.use !== 'none' || end.partner === undefined || !end.partner.isUnused) {
      throw new Error(
        'Cannot call `acceptWebSocket()` on this WebSocket because its pair has already been accepted or used in a Response.',
      );
    }
  }

  #receiverOf(held: HeldSocket): Receiver {
    const { end } = held;
    return {
      message: (data) => this.#onMessage(held, data),
      closed: (code, reason) =>
        this.#finish(held, 'webSocketClose', [code, reason, true], () => end.noteClosedThere()),
      lost: () =>
        this.#finish(held, 'webSocketClose', [abnormalCode, lostReason, false], () => {
          end.noteClosedThere();
          end.noteClosedHere();
          end.noteLost();
        }),
      failed: (error) => this.#finish(held, 'webSocketError', [error], () => end.noteClosedHere()),
    };
  }

  #onMessage(held: HeldSocket, data: Data): void {
    const { end } = held;
    const automatic = this.#autoResponse;
    if (automatic !== undefined && data === automatic.request) {
      held.autoResponseAt = this.#parts.now();
      end.sendAtOnce(automatic.response);
      return;
    }
    const args = [typeof data === 'string' ? data : data.buffer];
    end.arrive(data.length, (begin) => void this.#handle(held, { name: 'webSocketMessage', args, begin }));
  }

  /** The socket is listed until the synchronous part of the handler has run. */
  #finish(held: HeldSocket, name: HandlerName, args: readonly unknown[], begin: () => void): void {
    held.end.arrive(0, (arrived) => {
      const event: SocketEvent = {
        name,
        args,
        begin() {
          arrived();
          begin();
        },
        onHandled: () => this.#remove(held),
      };
      void this.#handle(held, event);
    });
  }

  async #handle(held: HeldSocket, { name, args, begin, onHandled }: SocketEvent): Promise<void> {
    const event = async ({ owner, instance }: SocketHost): Promise<void> => {
      begin();
      if (!this.#held.has(held.end)) return;
      const handler: unknown = Reflect.get(instance, name);
      try {
        const handled: unknown =
          typeof handler === 'function'
            ? Reflect.apply(handler, instance, [socketIn(owner, held), ...args])
            : undefined;
        onHandled?.();
        await handled;
      } catch (error) {
        onHandled?.();
        this.#parts.log(`${name}() of an object failed`, error);
      }
    };
    // An object that breaks also closes its sockets, so there is none left to notify.
    await this.#parts.enter(event, () => this.#eventTimeoutMs).catch(() => {});
  }

  #remove(held: HeldSocket): void {
    const { end, tags } = held;
    if (!this.#held.delete(end)) return;
    this.#byTag.delete(held, tags);
    if (!end.isDone && !end.isClosedHere) this.#unanswered.add(end);
  }
}

function socketIn(owner: SocketOwner, held: HeldSocket): WebSocket {
  if (held.socket === undefined) {
    held.end.handTo(owner);
    held.socket = new WebSocket(held.end);
  }
  return held.socket;
}

/** A number as an interface definition's `unsigned long`. */
function toUnsigned(value: unknown): number {
  const number = Math.trunc(+(value as number));
  if (!Number.isFinite(number)) {
    throw new TypeError('The value cannot be converted because it is not an integer.');
  }
  if (number < 0) {
    throw new TypeError(
      'The value cannot be converted because it is negative and this API expects a positive number.',
    );
  }
  if (number > unsignedMax) {
    throw new TypeError(`Value out of range. Must be less than or equal to ${unsignedMax}.`);
  }
  return number;
}

function readTags(tags: unknown): string[] {
  if (tags === undefined) return [];
  if (!Array.isArray(tags)) throw wrongType({ method: 'acceptWebSocket', face }, 2, 'Array');
  const texts = new Set<string>();
  for (const tag of tags) {
    if (texts.size === tagsMax) {
      throw new Error(`a Hibernatable WebSocket cannot have more than ${tagsMax} tags`);
    }
    const text = `${tag as string}`;
    if (Buffer.byteLength(text) > tagBytesMax) {
      throw new Error(`"${text}" is longer than the max tag length (${tagBytesMax} characters).`);
    }
    texts.add(text);
  }
  return [...texts];
}

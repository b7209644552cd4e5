/** `ctx`: what an object knows about itself, and its requests to the runtime. */
import { markAsUncloneable } from 'node:worker_threads';
import { explainWhenUsed, wrongType } from '#base';
import type { ObjectSockets, SocketOwner, WebSocket, WebSocketRequestResponsePair } from '#sockets';
import type { Actor } from './actor/actor.ts';
import { socketOwnerIn } from './actor/socket-owner.ts';
import type { DurableObjectId } from './ids.ts';
import { tagAs, toKey } from './storage/arguments.ts';
import type { DurableObjectStorage } from './storage/storage.ts';

export interface StateParts {
  readonly actor: Actor;
  readonly id: DurableObjectId;
  readonly storage: DurableObjectStorage;
  /** Prevents a retry of the alarm in progress, if any. */
  readonly giveUpAlarm: () => void;
  /** The hibernating sockets of this object. */
  readonly sockets: () => ObjectSockets;
  readonly exports: object;
  readonly container: object | undefined;
}

const face = 'DurableObjectState';
const absentFacets = explainWhenUsed(
  'ctx.facets is not available here: give each part an object of its own, and call it by its stub',
);

export class DurableObjectState {
  readonly id: DurableObjectId;
  readonly storage: DurableObjectStorage;
  readonly props: unknown = {};
  /** The entry points of the object's module. */
  readonly exports: object;
  readonly #actor: Actor;
  readonly #giveUpAlarm: () => void;
  readonly #sockets: () => ObjectSockets;
  readonly #container: object | undefined;

  /** @internal */
  constructor(parts: StateParts) {
    this.id = parts.id;
    this.storage = parts.storage;
    this.exports = parts.exports;
    this.#actor = parts.actor;
    this.#giveUpAlarm = parts.giveUpAlarm;
    this.#sockets = parts.sockets;
    this.#container = parts.container;
    markAsUncloneable(this);
  }

  /** Undefined, unless its class is declared to have one. */
  get container(): object | undefined {
    return this.#container;
  }

  get facets(): object {
    return absentFacets;
  }

  /** Keeps the object awake until the promise settles. */
  waitUntil(promise: unknown): void {
    this.#actor.waitUntil(promise);
  }

  /** Runs the callback while every other event is kept out. If it throws, the object is reset. */
  blockConcurrencyWhile<T>(callback: () => T | Promise<T>): Promise<T> {
    if (typeof callback !== 'function') {
      return Promise.reject(wrongType({ method: 'blockConcurrencyWhile', face }, 1, 'function'));
    }
    return this.#actor.section(callback, 'reset');
  }

  /** Resets the object at once. Uncommitted writes are lost, and every caller gets an error. */
  abort(reason?: unknown, options?: { readonly retryAlarm?: boolean }): never {
    if (options?.retryAlarm === false) this.#giveUpAlarm();
    return this.#actor.abort(reason);
  }

  /** Accepts a socket that stays open while the object is put away. Its events call `webSocketMessage` and the like. */
  acceptWebSocket(socket: WebSocket, tags?: readonly string[]): void {
    this.#sockets().accept(this.#socketOwner(), socket, tags);
  }

  /** The sockets accepted with `acceptWebSocket`: all, the newest first, or those with a tag, the oldest first. */
  getWebSockets(tag?: string): WebSocket[] {
    return this.#sockets().list(this.#socketOwner(), tag === undefined ? undefined : toKey(tag));
  }

  getTags(socket: WebSocket): string[] {
    return this.#sockets().tagsOf(socket);
  }

  /** Answers this message automatically, without waking the object; without an argument, no message any more. */
  setWebSocketAutoResponse(pair?: WebSocketRequestResponsePair): void {
    this.#sockets().setAutoResponse(pair);
  }

  getWebSocketAutoResponse(): WebSocketRequestResponsePair | null {
    return this.#sockets().autoResponse;
  }

  /** When a socket last got an automatic answer. */
  getWebSocketAutoResponseTimestamp(socket: WebSocket): Date | null {
    return this.#sockets().autoResponseTime(socket);
  }

  /** How long a handler of a socket may take; 0 or undefined means no limit. */
  setHibernatableWebSocketEventTimeout(ms?: number): void {
    this.#sockets().setEventTimeout(ms);
  }

  getHibernatableWebSocketEventTimeout(): number | null {
    return this.#sockets().eventTimeoutMs;
  }

  #socketOwner(): SocketOwner {
    return socketOwnerIn({ actor: this.#actor, gate: this.#actor.gate });
  }
}
tagAs(DurableObjectState.prototype, face);

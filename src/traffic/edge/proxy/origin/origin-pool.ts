/**
 * The connections to one origin. The most recently used one is used next, so that surplus connections age and are
 * closed.
 */
import type { Origin } from '../../wire/exchange.ts';
import type { WireLimits, WireTimeouts } from '../../wire/limits.ts';
import { Refusal } from '../../wire/refusal.ts';
import type { AddressPolicy } from './address-policy.ts';
import { otherSockets } from '#base';
import { areWorkersComing } from '#files';
import { type ClientCertificate, openOriginSocket } from './open-origin-socket.ts';
import { type ConnectionOwner, OriginConnection } from './origin-connection.ts';
import type { Watchdog } from '../watchdog.ts';

/**
 * For idle connections beyond `idleConnectionsPerOriginMax`: a burst of requests, such as all streams of a few HTTP/2
 * connections, is followed by the next one at once, and opening a connection costs more than the request.
 */
const surplusKeepMs = 1_000;

export interface PoolSettings {
  readonly limits: WireLimits;
  readonly timeouts: WireTimeouts;
  readonly watchdog: Watchdog;
  readonly policy: AddressPolicy;
  /** The sockets of Workers on this host, by name. */
  readonly workers: Readonly<Record<string, string>>;
  readonly clientCertificate: ClientCertificate | undefined;
}

/** The process of a Worker accepts connections until its last moment. */
const repeatsMax = 5;

export class OriginPool implements ConnectionOwner {
  readonly #origin: Origin;
  readonly #policy: AddressPolicy;
  readonly #workers: PoolSettings['workers'];
  readonly #clientCertificate: ClientCertificate | undefined;
  readonly #idle: OriginConnection[] = [];
  readonly #open = new Set<OriginConnection>();
  #connecting = 0;
  #isClosed = false;
  readonly limits: WireLimits;
  readonly timeouts: WireTimeouts;
  readonly watchdog: Watchdog;
  readonly #onEmpty: () => void;

  constructor(origin: Origin, settings: PoolSettings, onEmpty: () => void) {
    this.#origin = origin;
    this.#policy = settings.policy;
    this.#workers = settings.workers;
    this.#clientCertificate = settings.clientCertificate;
    this.limits = settings.limits;
    this.timeouts = settings.timeouts;
    this.watchdog = settings.watchdog;
    this.#onEmpty = onEmpty;
  }

  get openCount(): number {
    return this.#open.size + this.#connecting;
  }

  get idleCount(): number {
    return this.#idle.length;
  }

  takeIdle(): OriginConnection | undefined {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      // The origin may just have closed it.
      if (connection.isUsable) return connection;
      connection.destroy();
    }
    return undefined;
  }

  async open(): Promise<OriginConnection | Refusal> {
    if (this.openCount >= this.limits.connectionsPerOriginMax) {
      return new Refusal('origin_too_busy', 'Too many requests to the origin are in progress.');
    }
    this.#connecting++;
    try {
      const socket = await openOriginSocket(this.#origin, {
        policy: this.#policy,
        workers: this.#workers,
        clientCertificate: this.#clientCertificate,
        watchdog: this.watchdog,
        timeoutMs: this.timeouts.originConnectMs,
      });
      if (socket instanceof Refusal) return socket;
      const connection = new OriginConnection(this, socket);
      this.#open.add(connection);
      return connection;
    } finally {
      this.#connecting--;
      this.#forgetIfEmpty();
    }
  }

  /** Whether the origin is a Worker that has ended with its program and is restarting. */
  async isWorkerComing(repeats: number): Promise<boolean> {
    const { worker } = this.#origin;
    if (worker === undefined || repeats >= repeatsMax || Object.hasOwn(this.#workers, worker)) return false;
    const folder = this.#workers[otherSockets];
    return folder !== undefined && (await areWorkersComing(folder));
  }

  onIdle(connection: OriginConnection, keepMs: number): void {
    if (this.#isClosed) return connection.destroy();
    const isSurplus = this.#idle.length >= this.limits.idleConnectionsPerOriginMax;
    connection.keepFor(isSurplus ? Math.min(keepMs, surplusKeepMs) : keepMs);
    this.#idle.push(connection);
  }

  onClosed(connection: OriginConnection): void {
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
    this.#open.delete(connection);
    this.#forgetIfEmpty();
  }

  /** Closes idle connections now, and the others when their request is done. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  #forgetIfEmpty(): void {
    if (this.openCount === 0) this.#onEmpty();
  }
}

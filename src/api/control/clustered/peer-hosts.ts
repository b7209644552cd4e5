/**
 * The other hosts that run this control plane. They are notified of the objects that were written to, and asked to
 * apply changes that must hold on every host before the caller gets an answer.
 *
 * Every host that stays in the cluster receives every notification: it is repeated until it has arrived. A host that
 * dies may lose notifications, so a host that sees another leave must check everything again (`onGone`).
 */
import { AsyncResource } from 'node:async_hooks';
import type { Timer } from '#base';
import { RpcTarget } from '#objects';
import type { Call } from '../context/handler.ts';
import type { ControlCluster } from './control-cluster.ts';
import { directoryRenewMs, noticeRetryMs } from './limits.ts';
import type { CallAnswer } from './peers.ts';

export type PeerMessage =
  /** A host has joined. It answers requests as soon as all others know it. */
  | { readonly kind: 'hello' }
  /** Objects were written to. */
  | { readonly kind: 'changed'; readonly objects: readonly string[] }
  /** The directory must reach this revision. */
  | { readonly kind: 'directory'; readonly revision: number }
  | { readonly kind: 'sessions' }
  | { readonly kind: 'core-rules' }
  | { readonly kind: 'hide' | 'show'; readonly list: string; readonly by: string };

/** `gone`: it has left the cluster. `silent`: it did not answer in time. */
export type PeerAnswer = boolean | 'gone' | 'silent';

export interface PeerHostsParts {
  readonly cluster: ControlCluster;
  /** Does what another host asks; returns whether it could. */
  readonly take: (message: PeerMessage) => Promise<boolean>;
  /** Answers a call that another host has authorized, and that only this host can answer. */
  readonly answer: (call: Call) => Promise<CallAnswer>;
  /** A host has left, or this one was replaced: anything may have changed. */
  readonly onGone: () => void;
}

interface PeerStub {
  answer(call: Call): Promise<CallAnswer>;
  take(message: PeerMessage): Promise<boolean>;
}

const portName = 'control';

export class PeerHosts implements Disposable {
  readonly #parts: PeerHostsParts;
  /** The notifications that each host has not received yet. */
  readonly #unreported = new Map<string, Set<string>>();
  #seen: ReadonlySet<string> = new Set();
  #hostId: string;
  #timer: Timer | undefined;
  #isClosed = false;
  /** Objects call it, but the work runs outside their async contexts. */
  readonly tell: (objectName: string) => void;

  constructor(parts: PeerHostsParts) {
    this.#parts = parts;
    this.#hostId = parts.cluster.hostId;
    this.tell = AsyncResource.bind((objectName: string) => this.#tell(objectName));
    parts.cluster.offer(portName, new PeerPort(parts));
    this.#watch();
  }

  /** Asks every other host; resolves when each has answered, has left or has been silent for `patienceMs`. */
  async ask(message: PeerMessage, patienceMs: number): Promise<PeerAnswer[]> {
    const { cluster } = this.#parts;
    const deadline = cluster.clock.now() + patienceMs;
    return await Promise.all(cluster.otherHosts.map((host) => this.#askOne(host, message, deadline)));
  }

  /** Forwards a call to another host. */
  async forward(host: string, call: Call): Promise<CallAnswer> {
    const stub = (await this.#parts.cluster.findOffer(host, portName)) as PeerStub;
    return await stub.answer(call);
  }

  /** Forwards a call to every other host. Hosts that fail, or are silent for `patienceMs`, are omitted. */
  async forwardToAll(call: Call, patienceMs: number): Promise<CallAnswer[]> {
    const { clock, otherHosts } = this.#parts.cluster;
    const { promise: silence, resolve } = Promise.withResolvers<undefined>();
    const timer = clock.setTimer(patienceMs, () => resolve(undefined));
    const ask = (host: string) => this.forward(host, call).catch(() => undefined);
    try {
      const answers = await Promise.all(otherHosts.map((host) => Promise.race([ask(host), silence])));
      return answers.filter((answer) => answer !== undefined);
    } finally {
      timer.cancel();
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #askOne(host: string, message: PeerMessage, deadline: number): Promise<PeerAnswer> {
    const { clock } = this.#parts.cluster;
    const { promise: silence, resolve } = Promise.withResolvers<'silent'>();
    const timer = clock.setTimer(deadline - clock.now(), () => resolve('silent'));
    try {
      for (;;) {
        const answer = await Promise.race([this.#send(host, message).catch(() => undefined), silence]);
        if (answer !== undefined) return answer;
        if (!this.#isPresent(host)) return 'gone';
        await Promise.race([this.#pause(), silence]);
      }
    } finally {
      timer.cancel();
    }
  }

  #tell(objectName: string): void {
    for (const host of this.#parts.cluster.otherHosts) {
      const waiting = this.#unreported.get(host);
      if (waiting !== undefined) {
        waiting.add(objectName);
        continue;
      }
      this.#unreported.set(host, new Set([objectName]));
      void this.#notifyHost(host);
    }
  }

  /** Changes that arrive while a message is being sent go with the next one. */
  async #notifyHost(host: string): Promise<void> {
    const waiting = this.#unreported.get(host)!;
    while (waiting.size > 0 && this.#isPresent(host) && !this.#isClosed) {
      const objects = [...waiting];
      waiting.clear();
      try {
        await this.#send(host, { kind: 'changed', objects });
      } catch {
        for (const each of objects) waiting.add(each);
        await this.#pause();
      }
    }
    this.#unreported.delete(host);
  }

  async #send(host: string, message: PeerMessage): Promise<boolean> {
    const stub = (await this.#parts.cluster.findOffer(host, portName)) as PeerStub;
    return await stub.take(message);
  }

  #isPresent(host: string): boolean {
    return this.#parts.cluster.otherHosts.includes(host);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#parts.cluster.clock.setTimer(noticeRetryMs, resolve));
  }

  #watch(): void {
    if (this.#isClosed) return;
    const { cluster, onGone } = this.#parts;
    const present = new Set(cluster.otherHosts);
    const hasGone = [...this.#seen].some((host) => !present.has(host)) || this.#hostId !== cluster.hostId;
    this.#seen = present;
    this.#hostId = cluster.hostId;
    if (hasGone) onGone();
    this.#timer = cluster.clock.setTimer(directoryRenewMs, () => this.#watch());
  }
}

class PeerPort extends RpcTarget {
  readonly #parts: Pick<PeerHostsParts, 'take' | 'answer'>;

  constructor(parts: Pick<PeerHostsParts, 'take' | 'answer'>) {
    super();
    this.#parts = parts;
  }

  take(message: PeerMessage): Promise<boolean> {
    return this.#parts.take(message);
  }

  answer(call: Call): Promise<CallAnswer> {
    return this.#parts.answer(call);
  }
}

import { deepEqual, equal } from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import type { Call } from '../context/handler.ts';
import type { ControlCluster } from './control-cluster.ts';
import { PeerHosts, type PeerMessage } from './peer-hosts.ts';

type Answer = (message: PeerMessage) => Promise<boolean>;

/** A cluster with predefined answers of its hosts, and a clock that the test sets. */
class Bench {
  readonly hosts = new Map<string, Answer>();
  gone = 0;
  #nowMs = 0;
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  readonly cluster = {
    hostId: 'me',
    hosts: this.hosts,
    get otherHosts() {
      return [...this.hosts.keys()];
    },
    clock: {
      now: () => this.#nowMs,
      setTimer: (delayMs: number, callback: () => void) => {
        const timer = { at: this.#nowMs + delayMs, callback };
        this.#timers.add(timer);
        return { cancel: () => void this.#timers.delete(timer) };
      },
    },
    offer: () => {},
    findOffer: async (host: string) => ({ take: this.hosts.get(host) }),
  };
  readonly peers = new PeerHosts({
    cluster: this.cluster as unknown as ControlCluster,
    take: async () => true,
    answer: () => Promise.reject(new Error('nothing is forwarded here')),
    onGone: () => this.gone++,
  });

  async pass(ms: number): Promise<void> {
    this.#nowMs += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#nowMs) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  }
}

test('PeerHosts tells a host again until it has heard, and what comes meanwhile together', async () => {
  const bench = new Bench();
  const heard: unknown[] = [];
  let isReachable = false;
  bench.hosts.set('other', async (message) => {
    if (!isReachable) throw new Error('unreachable');
    return heard.push(message.kind === 'changed' ? message.objects : message) > 0;
  });
  bench.peers.tell('one');
  await bench.pass(0);
  bench.peers.tell('two');
  bench.peers.tell('two');
  isReachable = true;
  await bench.pass(1_000);
  deepEqual(heard, [['one', 'two']]);
  bench.peers.tell('three');
  await bench.pass(0);
  deepEqual(heard.at(-1), ['three']);
});

test('PeerHosts asks until each host has answered, has gone or was silent', async () => {
  const bench = new Bench();
  bench.hosts.set('good', async () => true);
  bench.hosts.set('refusing', async () => false);
  bench.hosts.set('leaving', () => Promise.reject(new Error('unreachable')));
  bench.hosts.set('stopped', () => new Promise(() => {}));
  const asked = bench.peers.ask({ kind: 'sessions' }, 2_000);
  await bench.pass(0);
  bench.hosts.delete('leaving');
  await bench.pass(200);
  await bench.pass(2_000);
  deepEqual(await asked, [true, false, 'gone', 'silent']);
});

test('PeerHosts lets all other hosts answer a call, and waits for no silent one', async () => {
  const bench = new Bench();
  const answers: Readonly<Record<string, () => Promise<unknown>>> = {
    good: async () => ({ status: 200, body: '1' }),
    broken: () => Promise.reject(new Error('unreachable')),
    stopped: () => new Promise(() => {}),
  };
  for (const host of Object.keys(answers)) bench.hosts.set(host, async () => true);
  Object.assign(bench.cluster, { findOffer: async (host: string) => ({ answer: answers[host] }) });
  const asked = bench.peers.forwardToAll({} as Call, 2_000);
  await bench.pass(0);
  await bench.pass(2_000);
  deepEqual(await asked, [{ status: 200, body: '1' }]);
});

test('PeerHosts says that anything may have changed when a host has gone, or this one was replaced', async () => {
  const bench = new Bench();
  bench.hosts.set('other', async () => true);
  await bench.pass(1_000);
  equal(bench.gone, 0);
  bench.hosts.delete('other');
  await bench.pass(1_000);
  equal(bench.gone, 1);
  Object.assign(bench.cluster, { hostId: 'me again' });
  await bench.pass(1_000);
  equal(bench.gone, 2);
  await bench.pass(1_000);
  equal(bench.gone, 2);
  bench.peers[Symbol.dispose]();
});

import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { realClock } from '#base';
import {
  type ConfiguredLoadBalancer,
  type ConfiguredPool,
  type ConfiguredPoolOrigin,
  keyOfOrigin,
} from '#firewall';
import type { IncomingRequest } from '../wire/exchange.ts';
import { Balancer, type BalancedChoice } from './balancer.ts';
import { OriginHealth } from './origin-health.ts';
import { OriginLoads } from './origin-loads.ts';

function origin(name: string, more: Partial<ConfiguredPoolOrigin> = {}): ConfiguredPoolOrigin {
  const plain = { port: 80, host: undefined, weight: 1, isEnabled: true, disabledAtMs: undefined };
  return { name, address: `${name}.example`, ...plain, ...more };
}

function pool(
  id: string,
  origins: readonly ConfiguredPoolOrigin[],
  more: Partial<ConfiguredPool> = {},
): ConfiguredPool {
  const plain = { originsMin: 1, steering: 'random', slowStartSeconds: 0, monitor: undefined } as const;
  return { id, name: id, isEnabled: true, origins, ...plain, ...more };
}

const affinity = {
  by: 'cookie',
  ttlSeconds: 60,
  sameSite: 'Auto',
  secure: 'Auto',
  drainSeconds: 100,
  failover: 'none',
  headers: [],
  requiresAllHeaders: false,
} as const;

/** An arbitrary time. */
const nowMs = Date.UTC(2026, 0, 1);

class Bench {
  readonly clock = { ...realClock, now: () => nowMs };
  readonly health = new OriginHealth();
  readonly loads = new OriginLoads();
  readonly balancer: Balancer;

  constructor(pools: readonly ConfiguredPool[], more: Partial<ConfiguredLoadBalancer> = {}) {
    this.balancer = new Balancer({
      id: 'balancer',
      zoneId: 'zone',
      name: 'www.example',
      pools,
      fallback: pools.at(-1)!,
      steering: 'order',
      poolWeights: {},
      defaultWeight: 1,
      affinity: undefined,
      failsOverAcrossPools: false,
      ...more,
    });
  }

  choose(request: Partial<IncomingRequest> = {}): BalancedChoice | undefined {
    return this.balancer.choose({
      request: { headers: [], clientAddress: '192.0.2.1', isSecure: true, ...request } as IncomingRequest,
      state: this,
      toOrigin: ({ base }) => base,
    });
  }

  name(request: Partial<IncomingRequest> = {}): string {
    return this.choose(request)?.origin.connectTo!.replace('.example', '') ?? 'none';
  }

  /** How often each origin is chosen. */
  count(times: number): Record<string, number> {
    const counts: Record<string, number> = {};
    for (let index = 0; index < times; index++) {
      const name = this.name({ clientAddress: `192.0.2.${index % 250}` });
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  setDown(of: ConfiguredPool, name: string, isDown = true): void {
    const found = of.origins.find((each) => each.name === name)!;
    const upSinceMs = isDown ? 0 : nowMs;
    this.health.receive([{ key: keyOfOrigin(of, found), isDown, markedUntilMs: 0, upSinceMs }]);
  }
}

test('Balancer divides requests by the weights of origins, and leaves out those that are disabled or weigh nothing', () => {
  const one = pool('one', [
    origin('a'),
    origin('b', { weight: 0.25 }),
    origin('c', { weight: 0 }),
    origin('d', { isEnabled: false }),
  ]);
  const { a = 0, b = 0, c, d } = new Bench([one]).count(4_000);
  deepEqual([c, d], [undefined, undefined]);
  ok(a / b > 3 && a / b < 5.3, `${a} and ${b}`);
});

test('Balancer asks the next pool while too few origins of one are well, and the last whatever its health', () => {
  const first = pool('first', [origin('a'), origin('b')], { originsMin: 2 });
  const second = pool('second', [origin('c')]);
  const bench = new Bench([first, second]);
  ok(['a', 'b'].includes(bench.name()));
  bench.setDown(first, 'a');
  equal(bench.name(), 'c');
  bench.setDown(second, 'c');
  equal(bench.name(), 'c', 'the last origin is never taken out');
  bench.setDown(first, 'a', false);
  ok(['a', 'b'].includes(bench.name()));
});

test('Balancer: the same address stays with an origin by hash, and only those of one that goes move', () => {
  const hashed = pool('hashed', [origin('a'), origin('b'), origin('c')], { steering: 'hash' });
  const bench = new Bench([hashed]);
  const addresses = Array.from({ length: 300 }, (_, index) => `198.51.100.${index}`);
  const before = addresses.map((clientAddress) => bench.name({ clientAddress }));
  for (const name of ['a', 'b', 'c']) {
    const share = before.filter((each) => each === name).length;
    ok(share > 60 && share < 140, `${name}: ${share}`);
  }
  bench.setDown(hashed, 'b');
  for (const [index, clientAddress] of addresses.entries()) {
    const now = bench.name({ clientAddress });
    if (before[index] === 'b') notEqual(now, 'b');
    else equal(now, before[index]);
  }
});

test('Balancer chooses the origin with the least requests under way for its weight', () => {
  const least = pool('least', [origin('a'), origin('b', { weight: 0.5 })], {
    steering: 'least_outstanding_requests',
  });
  const bench = new Bench([least]);
  const open: BalancedChoice[] = [];
  const names = Array.from({ length: 6 }, () => {
    const choice = bench.choose()!;
    choice.begin();
    open.push(choice);
    return choice.origin.connectTo![0]!;
  });
  deepEqual(names.filter((name) => name === 'a').length, 4);
  for (const choice of open) choice.end();
  deepEqual(bench.loads.list().map(({ origin: name, requests, failures }) => [name, requests, failures]).toSorted(), [
    ['a', 4, 0],
    ['b', 2, 0],
  ]); // prettier-ignore
});

test('Balancer keeps a session with its origin while that is well, and while it drains', () => {
  const two = pool('two', [origin('a'), origin('b')]);
  const bench = new Bench([two], { affinity });
  const first = bench.choose()!;
  const cookie = first.cookie!;
  const [pair = '', ...attributes] = cookie.split('; ');
  deepEqual(attributes, ['Path=/', 'Max-Age=60', 'HttpOnly', 'SameSite=None', 'Secure']);
  const request: Partial<IncomingRequest> = { headers: [['Cookie', `x=1; ${pair}`]] };
  const name = first.origin.connectTo!.replace('.example', '');
  for (let index = 0; index < 30; index++) equal(bench.name(request), name);
  equal(bench.choose(request)!.cookie, undefined);
  const forged = bench.choose({ headers: [['cookie', `__cflb=${'x'.repeat(22)}`]] })!;
  ok(forged.cookie !== undefined, 'a cookie of nobody is no session');

  const drained = (disabledAtMs: number): Bench =>
    new Bench(
      [
        pool(
          'two',
          two.origins.map((each) =>
            each.name === name ? { ...each, isEnabled: false, disabledAtMs } : each,
          ),
        ),
      ],
      { affinity },
    );
  equal(drained(nowMs).name(request), name);
  notEqual(drained(nowMs).name(), name, 'no new sessions');
  notEqual(drained(nowMs - 101_000).name(request), name);
  bench.setDown(two, name);
  notEqual(bench.name(request), name);
  ok(bench.choose(request)!.cookie !== undefined);
});

test('Balancer: what becomes of a session whose origin does not answer is what its failover says', () => {
  const two = pool('two', [origin('a'), origin('b')]);
  const next = (failover: 'none' | 'temporary' | 'sticky'): unknown => {
    const bench = new Bench([two], { affinity: { ...affinity, failover } });
    const [pair = ''] = bench.choose()!.cookie!.split(';');
    const choice = bench.choose({ headers: [['cookie', pair]] })!;
    choice.begin();
    const isNext = choice.fail({ counts: true });
    return [isNext, isNext && choice.cookie !== undefined];
  };
  deepEqual([next('none'), next('temporary'), next('sticky')], [[false, false], [true, false], [true, true]]); // prettier-ignore
});

test('Balancer: header sessions go by the values of headers, and need all of them if so configured', () => {
  const many = pool(
    'many',
    Array.from({ length: 5 }, (_, index) => origin(`o${index}`)),
  );
  const by = { ...affinity, by: 'header', headers: ['x-tenant', 'x-user'] } as const;
  const bench = new Bench([many], { affinity: by });
  const names = (headers: IncomingRequest['headers']): number =>
    new Set(Array.from({ length: 40 }, () => bench.name({ headers }))).size;
  equal(names([['X-Tenant', 'one']]), 1);
  ok(names([]) > 1);
  const strict = new Bench([many], { affinity: { ...by, requiresAllHeaders: true } });
  const headers: IncomingRequest['headers'] = [['x-tenant', 'one']];
  ok(new Set(Array.from({ length: 40 }, () => strict.name({ headers }))).size > 1);
  equal(strict.choose({ headers })!.cookie, undefined);
});

test('Balancer: a failed request goes on within its pool, to other pools only if configured, to three origins at most', () => {
  const first = pool('first', [origin('a'), origin('b')]);
  const second = pool('second', [origin('c'), origin('d')]);
  const walk = (failsOverAcrossPools: boolean): string[] => {
    const choice = new Bench([first, second], { failsOverAcrossPools }).choose()!;
    const names: string[] = [];
    do {
      choice.begin();
      names.push(choice.origin.connectTo![0]!);
    } while (choice.fail({ counts: false }));
    return names;
  };
  deepEqual(walk(false).toSorted(), ['a', 'b']);
  const [one, other, ...rest] = walk(true);
  deepEqual([one, other].toSorted(), ['a', 'b']);
  equal(rest.length, 1);
});

test('OriginHealth marks an origin after three failures in a row, each time for longer, and starts it slowly', () => {
  const marks: number[] = [];
  const health = new OriginHealth(({ markedUntilMs }) => marks.push(markedUntilMs));
  const fail = (atMs: number): void => health.noteFailure('key', atMs);
  fail(0);
  fail(0);
  health.noteSuccess('key');
  fail(0);
  fail(0);
  equal(health.isUp('key', 0), true);
  fail(0);
  deepEqual([health.isUp('key', 4_999), health.isUp('key', 5_000)], [false, true]);
  fail(5_000);
  deepEqual(marks, [5_000, 15_000], 'one more is enough, and it is for longer');
  equal(health.shareOf('key', 10_000, 20_000), 0.5);
  equal(health.shareOf('key', 10_000, 15_000), 0.05);
  equal(health.shareOf('key', 10_000, 30_000), 1);
  equal(health.shareOf('key', 0, 15_000), 1);
  health.retain(new Set());
  equal(health.isUp('key', 15_001), true);
});

import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '#base';
import type { FeedMessage, WantedZones } from '#control';
import { ConfigurationStore } from './configuration-store.ts';
import { EdgeFeed, type FedEdge } from './edge-feed.ts';

const [broken, good] = ['b'.repeat(32), 'c'.repeat(32)];

function configured(id: string, version: number): FeedMessage {
  return {
    kind: 'configuration',
    configuration: { version, zone: { id, name: `${id[0]}.example` } } as never,
  };
}

const account = { kind: 'account', account: { version: 1 } as never } as const;

function named(...ids: string[]): FeedMessage {
  return { kind: 'zones', zones: ids.map((id) => ({ id, name: `${id[0]}.example` })) };
}

/** An edge that records its calls, and a control plane whose messages the test sends. */
class Fed {
  readonly told: string[] = [];
  readonly lines: string[] = [];
  readonly loaded = new Set<string>();
  readonly feed: EdgeFeed;
  wanted: WantedZones | undefined;
  readonly #messages: FeedMessage[] = [];
  #arrived = Promise.withResolvers<void>();

  constructor(t: TestContext, store?: ConfigurationStore) {
    const abort = new AbortController();
    t.after(() => {
      abort.abort();
      this.#arrived.resolve();
    });
    const edge: FedEdge = {
      announce: (zones) => void this.told.push(`zones ${Array.from(zones, ({ id }) => id[0]).join(' ')}`),
      updateAccount: ({ version }) => void this.told.push(`account ${version}`),
      updateCoreRules: async (rules) => void this.told.push(`core rules ${rules?.version}`),
      updateZone: async ({ version, zone: { id } }) => {
        if (id === broken && version === 1) throw new TypeError('no such action');
        this.told.push(`${id[0]} ${version}`);
        this.loaded.add(id);
        return [];
      },
      isLoaded: (id) => this.loaded.has(id),
      setLoader: () => {},
      remove: (id) => void this.told.push(`without ${id[0]}`),
      complete: () => void this.told.push('complete'),
    };
    const write = (line: string): void => void this.lines.push(line);
    this.feed = new EdgeFeed({
      connect: (wanted) => this.#connect(wanted, abort.signal),
      ...(store === undefined ? {} : { store }),
      edge,
      log: createLog({ level: 'warn', format: 'text', write }),
      signal: abort.signal,
    });
  }

  async *#connect(wanted: WantedZones, signal: AbortSignal): AsyncGenerator<FeedMessage, void> {
    this.wanted = wanted;
    while (!signal.aborted) {
      yield* this.#messages.splice(0);
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
    }
  }

  async send(...messages: FeedMessage[]): Promise<void> {
    this.#messages.push(...messages);
    this.#arrived.resolve();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  }
}

function createDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-feed-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('EdgeFeed without a store puts a zone in force when a request needs it, and again while it is loaded', async (t) => {
  const fed = new Fed(t);
  await fed.send(account, named(good, broken), { kind: 'complete' });
  await fed.feed.complete;
  deepEqual(fed.told.splice(0), ['account 1', 'zones c b', 'complete']);
  await fed.send(configured(good, 1));
  deepEqual([fed.told, fed.wanted!.has(good)], [[], false]);
  const loading = fed.feed.load(good);
  equal(fed.wanted!.has(good), true);
  await fed.send(configured(good, 2));
  await loading;
  await fed.send(configured(good, 3));
  deepEqual(fed.told, ['c 2', 'c 3']);
});

test('EdgeFeed lets a request go on when its zone cannot be loaded, or is gone', async (t) => {
  const fed = new Fed(t);
  await fed.send(account, named(good, broken), { kind: 'complete' });
  const [away, gone] = [fed.feed.load(good), fed.feed.load(broken)];
  await fed.send(
    { kind: 'unavailable', zone: good, reason: 'away', retryMs: 1 },
    { kind: 'removed', zone: broken },
  );
  await Promise.all([away, gone]);
  deepEqual(fed.told.slice(3), ['without b']);
});

test('EdgeFeed continues after a zone that cannot be put in force', async (t) => {
  const fed = new Fed(t);
  await fed.send(account, named(good, broken), { kind: 'complete' });
  const loading = Promise.all([fed.feed.load(broken), fed.feed.load(good)]);
  await fed.send(configured(broken, 1), configured(good, 1));
  await loading;
  deepEqual([fed.told.slice(3), fed.lines.length], [['c 1'], 1]);
});

test('EdgeFeed with a store is complete once every zone is on disk, and starts from there', async (t) => {
  const directory = createDirectory(t);
  const fed = new Fed(t, new ConfigurationStore(directory));
  await fed.send(account, named(good, broken), configured(good, 1), { kind: 'complete' });
  deepEqual(fed.told.splice(0), ['account 1', 'zones c b']);
  await fed.send(configured(broken, 2));
  await fed.feed.complete;
  deepEqual(fed.told, ['complete']);

  const again = new Fed(t, new ConfigurationStore(directory));
  await again.feed.complete;
  deepEqual(again.told.splice(0), ['account 1', 'zones b c', 'complete']);
  await again.feed.load(good);
  deepEqual(again.told, ['c 1']);
  await again.send(account, named(good), { kind: 'complete' });
  deepEqual(again.told.slice(1), ['account 1', 'zones c', 'without b', 'complete']);
  deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('b')),
    [],
  );
});

test('EdgeFeed with a store keeps the OWASP rules, also over a restart, until there are none', async (t) => {
  const directory = createDirectory(t);
  const rules = { version: '3.3.4', digest: 'd', installedAt: '', files: [], data: [] };
  const first = new Fed(t, new ConfigurationStore(directory));
  await first.send(account, { kind: 'core-rules', rules }, named(), { kind: 'complete' });
  deepEqual(first.told.slice(0, 2), ['account 1', 'core rules 3.3.4']);
  const second = new Fed(t, new ConfigurationStore(directory));
  deepEqual(second.told.slice(0, 2), ['account 1', 'core rules 3.3.4']);
  await second.send(account, { kind: 'core-rules', rules: null });
  const third = new Fed(t, new ConfigurationStore(directory));
  equal(third.told.includes('core rules 3.3.4'), false);
});

test('ConfigurationStore does not use the files of an edge that had no account', (t) => {
  const directory = createDirectory(t);
  writeFileSync(join(directory, `${good}.json`), '{"version":1}');
  writeFileSync(join(directory, 'complete'), '');
  const store = new ConfigurationStore(directory);
  deepEqual([store.has(good), store.isComplete, readdirSync(directory)], [false, false, []]);
});

test('EdgeFeed waits longer after each failure, up to a bound, and starts over when the control plane has answered', async () => {
  const abort = new AbortController();
  const waits: number[] = [];
  const answering = 8;
  const ignore = (): void => {};
  const edge = { announce: ignore, updateAccount: ignore, setLoader: ignore, complete: ignore };
  const feed = new EdgeFeed({
    async *connect() {
      if (waits.length === answering) yield account;
      throw new Error('away');
    },
    edge: edge as unknown as FedEdge,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    signal: abort.signal,
    wait: async (ms) => {
      waits.push(ms);
      if (waits.length === answering + 2) abort.abort();
      await nextTurn();
    },
  });
  // It ends with the signal.
  await feed.firstPass;
  deepEqual(waits, [200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 200, 400]);
});

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { VirtualClock } from '#base';
import {
  type FeedMessage,
  type FeedSource,
  readConfigurations,
  type WantedZones,
} from './configuration-feed.ts';

type ZonePart = NonNullable<Awaited<ReturnType<FeedSource['readZone']>>>;

/** A control plane whose zones the test changes, and a reader that records the messages. */
class Feed implements Disposable {
  readonly clock = new VirtualClock({ start: 0 });
  readonly told: string[] = [];
  readonly asked: string[] = [];
  readonly versions = new Map<string, number>();
  readonly failing = new Set<string>();
  /** How long the reader takes for a configuration. */
  readingMs = 0;
  accountVersion = 1;
  /** The version of the OWASP rules; undefined if another source provides them. */
  coreRules: string | null | undefined;
  wanted: WantedZones | undefined;
  readonly #end = new AbortController();
  #listener: ((zoneId: string) => void) | undefined;

  start(...zoneIds: string[]): void {
    for (const zoneId of zoneIds) this.versions.set(zoneId, 1);
    void this.#read();
  }

  change(zoneId: string, version: number | undefined): void {
    if (version === undefined) this.versions.delete(zoneId);
    else this.versions.set(zoneId, version);
    this.#listener?.(zoneId);
  }

  changeAccount(version: number): void {
    this.accountVersion = version;
    this.#listener?.('account');
  }

  async #read(): Promise<void> {
    const source: FeedSource = {
      clock: this.clock,
      listZones: () => [...this.versions.keys()].map((id) => ({ id, name: id })),
      findZone: (id) => (this.versions.has(id) ? { id, name: id } : undefined),
      readAccount: async (versionKnown) => {
        const version = this.accountVersion;
        return version === versionKnown
          ? undefined
          : { version, lists: [], customRulesets: [], entryPoints: [] };
      },
      ...(this.coreRules === undefined ? {} : { readCoreRules: () => this.#readCoreRules() }),
      readConfiguration: async () => undefined,
      readZone: async (zoneId) => {
        this.asked.push(zoneId);
        if (this.failing.has(zoneId)) throw new Error('away');
        const version = this.versions.get(zoneId);
        return version === undefined ? undefined : ({ version, zone: { id: zoneId } } as ZonePart);
      },
      onChange: (listener) => {
        this.#listener = listener;
        return () => (this.#listener = undefined);
      },
    };
    for await (const message of readConfigurations(source, this.#end.signal, this.wanted)) {
      this.told.push(describe(message));
      if (message.kind === 'configuration' && this.readingMs > 0) await this.clock.advance(this.readingMs);
    }
    this.told.push('end');
  }

  changeCoreRules(version: string | null): void {
    this.coreRules = version;
    this.#listener?.('core-rules');
  }

  #readCoreRules(): ReturnType<NonNullable<FeedSource['readCoreRules']>> {
    const version = this.coreRules;
    if (version === null || version === undefined) return undefined;
    return { version, digest: version, installedAt: '', files: [], data: [] };
  }

  get isListening(): boolean {
    return this.#listener !== undefined;
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }
}

function describe(message: FeedMessage): string {
  switch (message.kind) {
    case 'account':
      return `account ${message.account.version}`;
    case 'core-rules':
      return `core rules ${message.rules?.version}`;
    case 'zones':
      return `zones: ${message.zones.map(({ name }) => name).join(' ')}`;
    case 'configuration':
      return `${message.configuration.zone.id} ${message.configuration.version}`;
    case 'removed':
      return `${message.zone} gone`;
    case 'unavailable':
      return `${message.zone} unavailable: ${message.reason}, again in ${message.retryMs} ms`;
    case 'complete':
      return 'complete';
    case 'heartbeat':
      return 'heartbeat';
  }
}

/** Waits for all due work. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

test('readConfigurations sends the account, the names and every zone, then complete, then each change', async () => {
  using feed = new Feed();
  feed.start('a', 'b');
  await settle();
  feed.change('b', 2);
  await settle();
  feed.change('a', undefined);
  await settle();
  deepEqual(feed.told, ['account 1', 'zones: a b', 'a 1', 'b 1', 'complete', 'b 2', 'a gone']);
});

test('readConfigurations sends complete at once if there is no zone', async () => {
  using feed = new Feed();
  feed.start();
  await settle();
  deepEqual(feed.told, ['account 1', 'complete']);
});

test('readConfigurations sends only the last of many changes', async () => {
  using feed = new Feed();
  feed.start('a');
  await settle();
  for (let version = 2; version <= 10; version++) feed.change('a', version);
  await settle();
  deepEqual(feed.told, ['account 1', 'zones: a', 'a 1', 'complete', 'a 10']);
});

test('readConfigurations lets a zone rest nine times as long as its reader took, and no other', async () => {
  using feed = new Feed();
  feed.readingMs = 10;
  feed.start('a', 'b');
  await settle();
  feed.readingMs = 0;
  feed.change('a', 2);
  feed.change('b', 2);
  await settle();
  deepEqual(feed.told, ['account 1', 'zones: a b', 'a 1', 'b 1', 'complete']);
  // The first zone has rested since 10, the second since 20.
  await feed.clock.advance(80);
  await settle();
  deepEqual(feed.told.slice(5), ['a 2']);
  await feed.clock.advance(10);
  await settle();
  deepEqual(feed.told.slice(5), ['a 2', 'b 2']);
});

test('readConfigurations retries a zone that cannot be loaded with increasing delays, and at its next change', async () => {
  using feed = new Feed();
  feed.failing.add('a');
  feed.start('a', 'b');
  await settle();
  await feed.clock.advance(100);
  await settle();
  deepEqual(feed.told, [
    'account 1',
    'zones: a b',
    'a unavailable: away, again in 100 ms',
    'b 1',
    'complete',
    'a unavailable: away, again in 200 ms',
  ]);
  feed.failing.clear();
  feed.change('a', 2);
  await settle();
  deepEqual(feed.told.at(-1), 'a 2');
  equal(feed.asked.filter((zoneId) => zoneId === 'b').length, 1);
});

test('readConfigurations sends a heartbeat when there is nothing to send', async () => {
  using feed = new Feed();
  feed.start('a');
  await settle();
  await feed.clock.advance(15_000);
  await settle();
  deepEqual(feed.told, ['account 1', 'zones: a', 'a 1', 'complete', 'heartbeat']);
});

test('readConfigurations ends when its signal aborts, and stops listening', async () => {
  const feed = new Feed();
  feed.start('a');
  await settle();
  feed[Symbol.dispose]();
  await settle();
  feed.change('a', 2);
  await settle();
  deepEqual([feed.told.slice(2), feed.isListening], [['a 1', 'complete', 'end'], false]);
});

test('readConfigurations reads no zone that its reader does not want, and one that it asks for at once', async () => {
  using feed = new Feed();
  const wanted = new Set<string>();
  let ask: (zoneId: string) => void = () => {};
  feed.wanted = {
    has: (zoneId) => wanted.has(zoneId),
    onAsked: (listener) => {
      ask = listener;
      return () => {};
    },
  };
  feed.start('a', 'b');
  await settle();
  feed.change('b', 2);
  feed.change('c', 1);
  await settle();
  deepEqual([feed.told, feed.asked], [['account 1', 'zones: a b', 'complete', 'zones: c'], []]);
  wanted.add('b');
  ask('b');
  await settle();
  feed.change('a', 2);
  feed.change('b', 3);
  await settle();
  deepEqual(
    [feed.told.slice(4), feed.asked],
    [
      ['b 2', 'b 3'],
      ['b', 'b'],
    ],
  );
});

test('readConfigurations sends a change of the account before zones, and nothing if that is no change', async () => {
  using feed = new Feed();
  feed.start('a');
  await settle();
  feed.change('a', 2);
  feed.changeAccount(2);
  await settle();
  feed.changeAccount(2);
  await settle();
  deepEqual(feed.told.slice(4), ['account 2', 'a 2']);
});

test('readConfigurations sends the OWASP rules before the zones, and again when they are others', async () => {
  using feed = new Feed();
  feed.coreRules = '1.0';
  feed.start('a');
  await settle();
  deepEqual(feed.told.splice(0), ['account 1', 'core rules 1.0', 'zones: a', 'a 1', 'complete']);
  feed.changeCoreRules('1.0');
  await settle();
  deepEqual(feed.told, []);
  feed.changeCoreRules('2.0');
  await settle();
  feed.changeCoreRules(null);
  await settle();
  deepEqual(feed.told, ['core rules 2.0', 'core rules undefined']);
});

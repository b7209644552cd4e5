import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { VirtualClock } from '#base';
import { type FeedMessage, type FeedSource, readConfigurations } from './configuration-feed.ts';

type Configuration = NonNullable<Awaited<ReturnType<FeedSource['readConfiguration']>>>;

/** A control plane whose zones the test changes, and a reader that records the messages. */
class Feed implements Disposable {
  readonly clock = new VirtualClock({ start: 0 });
  readonly told: string[] = [];
  readonly asked: string[] = [];
  readonly versions = new Map<string, number>();
  readonly failing = new Set<string>();
  /** How long the reader takes for a configuration. */
  readingMs = 0;
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

  async #read(): Promise<void> {
    const source: FeedSource = {
      clock: this.clock,
      listZoneIds: () => this.versions.keys(),
      readConfiguration: async (zoneId) => {
        this.asked.push(zoneId);
        if (this.failing.has(zoneId)) throw new Error('away');
        const version = this.versions.get(zoneId);
        return version === undefined ? undefined : ({ version, zone: { id: zoneId } } as Configuration);
      },
      onChange: (listener) => {
        this.#listener = listener;
        return () => (this.#listener = undefined);
      },
    };
    for await (const message of readConfigurations(source, this.#end.signal)) {
      this.told.push(describe(message));
      if (message.kind === 'configuration' && this.readingMs > 0) await this.clock.advance(this.readingMs);
    }
    this.told.push('end');
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
    case 'configuration':
      return `${message.configuration.zone.id} ${message.configuration.version}`;
    case 'removed':
      return `${message.zone} gone`;
    case 'unavailable':
      return `${message.zone} unavailable: ${message.reason}, again in ${message.retryMs} ms`;
    case 'complete':
      return `complete: ${message.zones.join(' ')}`;
    case 'heartbeat':
      return 'heartbeat';
  }
}

/** Waits for all work that is due. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

test('readConfigurations sends every zone, then complete, then each change', async () => {
  using feed = new Feed();
  feed.start('a', 'b');
  await settle();
  feed.change('b', 2);
  await settle();
  feed.change('a', undefined);
  await settle();
  deepEqual(feed.told, ['a 1', 'b 1', 'complete: a b', 'b 2', 'a gone']);
});

test('readConfigurations sends complete at once if there is no zone', async () => {
  using feed = new Feed();
  feed.start();
  await settle();
  deepEqual(feed.told, ['complete: ']);
});

test('readConfigurations sends only the last of many changes', async () => {
  using feed = new Feed();
  feed.start('a');
  await settle();
  for (let version = 2; version <= 10; version++) feed.change('a', version);
  await settle();
  deepEqual(feed.told, ['a 1', 'complete: a', 'a 10']);
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
  deepEqual(feed.told, ['a 1', 'b 1', 'complete: a b']);
  // The first zone has rested since 10, the second since 20.
  await feed.clock.advance(80);
  await settle();
  deepEqual(feed.told.slice(3), ['a 2']);
  await feed.clock.advance(10);
  await settle();
  deepEqual(feed.told.slice(3), ['a 2', 'b 2']);
});

test('readConfigurations retries a zone that cannot be loaded with increasing delays, and at its next change', async () => {
  using feed = new Feed();
  feed.failing.add('a');
  feed.start('a', 'b');
  await settle();
  await feed.clock.advance(100);
  await settle();
  deepEqual(feed.told, [
    'a unavailable: away, again in 100 ms',
    'b 1',
    'complete: a b',
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
  deepEqual(feed.told, ['a 1', 'complete: a', 'heartbeat']);
});

test('readConfigurations ends when its signal aborts, and stops listening', async () => {
  const feed = new Feed();
  feed.start('a');
  await settle();
  feed[Symbol.dispose]();
  await settle();
  feed.change('a', 2);
  await settle();
  deepEqual([feed.told, feed.isListening], [['a 1', 'complete: a', 'end'], false]);
});

import { deepEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '#base';
import { ConfigurationStore } from './configuration-store.ts';
import type { FeedMessage } from '#control';
import { EdgeFeed } from './edge-feed.ts';

const broken = 'b'.repeat(32);
const good = 'c'.repeat(32);

function configured(id: string, version: number): FeedMessage {
  return { kind: 'configuration', configuration: { version, zone: { id } } as never };
}

test('EdgeFeed continues after a zone that cannot be put in force, and is complete once it can', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-feed-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const abort = new AbortController();
  t.after(() => abort.abort());
  const told: string[] = [];
  const lines: string[] = [];
  const mended = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const feed = new EdgeFeed({
    connect: async function* () {
      yield configured(broken, 1);
      yield configured(good, 1);
      yield { kind: 'complete', zones: [broken, good] } as const;
      await mended.promise;
      yield configured(broken, 2);
      await ended.promise;
    },
    store: new ConfigurationStore(directory),
    edge: {
      update({ version, zone: { id } }) {
        if (id === broken && version === 1) throw new TypeError('no such action');
        told.push(`${id[0]} ${version}`);
        return [];
      },
      remove: (id) => void told.push(`without ${id[0]}`),
      complete: () => void told.push('complete'),
    },
    log: createLog({ level: 'warn', format: 'text', write: (line) => void lines.push(line) }),
    signal: abort.signal,
  });
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  deepEqual([told, lines.length], [['c 1'], 1]);
  mended.resolve();
  await feed.complete;
  deepEqual(told, ['c 1', 'b 2', 'complete']);
  abort.abort();
  ended.resolve();
});

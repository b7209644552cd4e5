import { equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { realFileSystem } from '#files';
import { Journal } from '#journal';
import { Tables } from '#tables';
import { Ledger, readEntry } from '../ledger/ledger.ts';
import { OpenLedgers } from '../ledger/open-ledgers.ts';
import { encodeOwner } from '../ledger/records.ts';
import { Historian } from './historian.ts';
import { Images } from './images.ts';
import { giveBackHistory } from './retention.ts';

test('giveBackHistory drops nothing that a flush under way has not reached', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-retention-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const clock = new VirtualClock({ start: 0 });
  const journal = await Journal.open({
    directory: `${directory}/journal`,
    fs: realFileSystem,
    clock,
    segmentBytes: 4096,
  });
  const publish = Promise.withResolvers<void>();
  const tables = Tables.open({ directory: `${directory}/tables`, beforePublish: () => publish.promise });
  t.after(async () => {
    await tables.close();
    await journal.close();
  });
  const parts = { journal, tables, onAlarm: () => {} };
  const ledgers = new OpenLedgers({
    load: async (owner) => new Ledger(owner, await readEntry(tables, owner), parts),
  });
  const historian = new Historian({
    journal,
    clock,
    retentionMs: 0,
    images: new Images(realFileSystem, `${directory}/images`),
  });
  const ledger = await ledgers.acquire(encodeOwner(1, 'ab'.repeat(32)));
  const put = (key: string): Promise<void> =>
    ledger.append({ chained: false, entries: [{ op: 'put', key, value: Buffer.alloc(1_000) }] }).durable;
  await put('early');
  const flushing = tables.flush();
  for (const key of ['a', 'b', 'c']) await put(key);
  await clock.advance(1_000);
  for (const key of ['d', 'e', 'f', 'g']) await put(key);
  const dropping = giveBackHistory({ journal, tables, historian, ledgers }, 0);
  publish.resolve();
  equal(await dropping, 1);
  ok(tables.position >= journal.start, `tables at ${tables.position}, journal from ${journal.start}`);
  await flushing;
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { realFileSystem } from '#files';
import { BlockCache } from './block-cache.ts';
import { findInBlock } from './block.ts';
import { Memtable } from '../memtable.ts';
import { makePrefixRange } from '../row.ts';
import { writeRun } from './run-writer.ts';
import { bytes, temporaryDirectory, text } from '../testing.ts';

/** Few different bytes, so that row keys share prefixes of all lengths. */
const rowKey = fc
  .tuple(fc.constantFrom('a', 'b'), fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 }))
  .map(([owner, key]) => `${owner.padStart(34, 'o')}\x01${key}`);

test('findInBlock finds every row that is there, and none that is not', async (t) => {
  const directory = temporaryDirectory(t);
  let number = 0;
  const keys = fc.uniqueArray(rowKey, { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(keys, fc.array(rowKey, { maxLength: 40 }), async (present, asked) => {
      const memtable = new Memtable(0);
      for (const key of present) memtable.set(key, bytes(`value of ${key}`));
      const target = {
        fs: realFileSystem,
        directory,
        durable: false,
        cache: new BlockCache(0),
        number: ++number,
      };
      const rows = memtable.openCursor(makePrefixRange(''), false);
      const run = await writeRun(target, { rows, filterEntriesMax: 80, keepDeletions: true });
      const blocks = await run!.readBlocks(0, run!.index.blockCount);
      for (const key of [...present, ...asked]) {
        const found = findInBlock(blocks[run!.index.findBlock(key)]!, key);
        assert.equal(text(found ?? undefined), present.includes(key) ? `value of ${key}` : undefined);
      }
      run!.release();
    }),
    { numRuns: 100 },
  );
});

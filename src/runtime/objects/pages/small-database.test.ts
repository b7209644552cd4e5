import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pageBytes } from '#sqlite';
import { smallDatabaseBytesMax } from '../limits.ts';
import { encodePages } from './page-images.ts';
import { SmallDatabase } from './small-database.ts';

/** A page that differs from others, with a free middle, like a half full page of SQLite. */
function pageOf(mark: number, { free }: { free: boolean }): Buffer {
  const page = Buffer.alloc(pageBytes, mark);
  if (!free) return page;
  page.fill(0);
  page[0] = 13;
  page.writeUInt16BE(pageBytes - 100, 5);
  page.fill(mark, pageBytes - 100);
  return page;
}

test('SmallDatabase keeps the newest image of each page, and nothing of the database before it', () => {
  const small = new SmallDatabase();
  const layer = fc.array(
    fc.record({ number: fc.integer({ min: 1, max: 12 }), mark: fc.nat(255), free: fc.boolean() }),
    { maxLength: 8 },
  );
  const database = fc.record({
    pageCount: fc.integer({ min: 0, max: 10 }),
    // Newest first; the last one may come from an image rather than from a record.
    layers: fc.array(layer, { maxLength: 4 }),
    onImage: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(database, { maxLength: 4 }), (databases) => {
      for (const { pageCount, layers, onImage } of databases) {
        const expected = Buffer.alloc(pageCount * pageBytes);
        for (const pages of layers.toReversed()) {
          for (const { number, mark, free } of pages) {
            if (number <= pageCount) pageOf(mark, { free }).copy(expected, (number - 1) * pageBytes);
          }
        }
        small.begin(pageCount);
        for (const [index, pages] of layers.entries()) {
          const map = new Map(pages.map(({ number, mark, free }) => [number, pageOf(mark, { free })]));
          if (onImage && index === layers.length - 1) small.add(map);
          else small.addEncoded(encodePages({ pageCount, pages: map }));
        }
        deepEqual(small.finish(), expected);
      }
    }),
    { numRuns: 50 },
  );
});

test('SmallDatabase refuses pages that are cut short, and takes no database that is large', () => {
  const small = new SmallDatabase();
  small.begin(2);
  const encoded = encodePages({ pageCount: 2, pages: new Map([[1, pageOf(7, { free: false })]]) });
  throws(() => small.addEncoded(encoded.subarray(0, -1)), RangeError);
  const pagesMax = smallDatabaseBytesMax / pageBytes;
  equal(SmallDatabase.fits(pagesMax), true);
  equal(SmallDatabase.fits(pagesMax + 1), false);
});

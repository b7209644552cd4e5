import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { pageBytes } from '#sqlite';
import { decodePages, encodePages } from './page-images.ts';

/** A leaf page of a table with this many bytes of cells at its end and free space before them. */
function leafPage(cellBytes: number, header = 0): Buffer {
  const page = Buffer.alloc(pageBytes);
  page[header] = 13;
  page.writeUInt16BE(1, header + 3);
  page.writeUInt16BE(pageBytes - cellBytes, header + 5);
  page.writeUInt16BE(pageBytes - cellBytes, header + 8);
  page.fill(7, pageBytes - cellBytes);
  return page;
}

test('encodePages leaves out the free space of a page and decodePages brings it back', () => {
  const pages = new Map([
    [1, leafPage(200, 100)],
    [9, leafPage(1_000)],
  ]);
  const bytes = encodePages({ pageCount: 12, pages });
  ok(bytes.length < 1_600, `${bytes.length} bytes`);
  deepEqual(decodePages(bytes), { pageCount: 12, pages });
});

test('encodePages keeps a page whole whose free space is not empty', () => {
  const page = leafPage(100);
  page[2_000] = 1;
  const { pages } = decodePages(encodePages({ pageCount: 1, pages: new Map([[2, page]]) }));
  deepEqual(pages.get(2), page);
});

test('decodePages gives back any pages whatever', () => {
  const page = fc
    .tuple(fc.uint8Array({ minLength: 12, maxLength: 12 }), fc.nat(pageBytes - 1), fc.nat(255))
    .map(([head, from, fill]) => {
      const bytes = Buffer.alloc(pageBytes);
      bytes.fill(fill, from);
      bytes.set(head);
      return bytes;
    });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 1_000 }), page), { maxLength: 4 }), (entries) => {
      const images = { pageCount: 1_000, pages: new Map(entries) };
      deepEqual(decodePages(encodePages(images)), images);
    }),
    { numRuns: 100 },
  );
});

test('decodePages refuses what does not fit', () => {
  const bytes = encodePages({ pageCount: 1, pages: new Map([[1, leafPage(200)]]) });
  throws(() => decodePages(bytes.subarray(0, -1)), { name: 'RangeError' });
  equal(decodePages(bytes.subarray(0, 4)).pages.size, 0);
});

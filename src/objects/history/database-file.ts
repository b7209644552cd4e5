import { readFileSync } from 'node:fs';
import { pageBytes } from '#sqlite';
import { type PageSource, inBlocks } from './images.ts';

/** Offsets in the header of a database that say which journal it uses: 2 is a write-ahead log. */
const journalModeOffsets = [18, 19];

/** The pages of a database file with our page size, as if it had been written by an object. */
export function databaseFilePages(path: string): PageSource {
  const bytes = readFileSync(path);
  for (const offset of journalModeOffsets) bytes[offset] = 2;
  const pageCount = bytes.length / pageBytes;
  return {
    pageCount,
    blocks: () =>
      inBlocks(pageCount, (number) => bytes.subarray((number - 1) * pageBytes, number * pageBytes)),
  };
}

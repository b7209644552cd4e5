/**
 * The records and page images of an object in the log. Their bytes have a checksum, so the tests generate valid ones.
 */
import { decodeCommit, encodeCommit, encodeOwner } from '../../src/runtime/objects/ledger/records.ts';
import { decodePages, encodePages } from '../../src/runtime/objects/pages/page-images.ts';

const page = Buffer.alloc(4096, 'a');
const pages = encodePages({ pageCount: 2, pages: new Map([[1, page]]) });
const commit = Buffer.concat(
  encodeCommit({
    owner: encodeOwner(1, 'ab'.repeat(32)),
    previous: 0,
    pages,
  } as never),
);

export const recordSeeds = [commit, Buffer.from(pages)];

/** Any input is read, or refused by an error. */
export function checkRecords(input: Buffer): void {
  for (const read of [decodeCommit, decodePages] as const) {
    try {
      read(input);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
}

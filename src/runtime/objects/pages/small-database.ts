/**
 * A small database materialised in memory. Pages are added newest first, and the first image of each wins; a page
 * without an image is zeros.
 *
 * The memory is used again for the next one: use the result of `finish` at once. The kernel provides new memory of this
 * size page by page, which would cost more than all the work here.
 */
import { assert } from '#base';
import { pageBytes } from '#sqlite';
import { smallDatabaseBytesMax } from '../limits.ts';
import { copyPages } from './page-images.ts';

const pagesMax = smallDatabaseBytesMax / pageBytes;

export class SmallDatabase {
  #memory = Buffer.alloc(0);
  readonly #filled = new Uint8Array(pagesMax + 1);
  #pageCount = 0;

  static fits(pageCount: number): boolean {
    return pageCount <= pagesMax;
  }

  begin(pageCount: number): void {
    assert(SmallDatabase.fits(pageCount), 'a database that is called small is small');
    this.#pageCount = pageCount;
    this.#filled.fill(0, 0, pageCount + 1);
    if (this.#memory.length < pageCount * pageBytes)
      this.#memory = Buffer.allocUnsafeSlow(pageCount * pageBytes);
  }

  /** Adds pages as a record contains them. */
  addEncoded(pages: Uint8Array): void {
    copyPages(pages, this.#memory, this.#place);
  }

  add(pages: ReadonlyMap<number, Uint8Array>): void {
    for (const [number, page] of pages) {
      const start = this.#place(number);
      if (start !== undefined) this.#memory.set(page, start);
    }
  }

  finish(): Buffer {
    for (let number = 1; number <= this.#pageCount; number++) {
      if (this.#filled[number] === 0) this.#memory.fill(0, (number - 1) * pageBytes, number * pageBytes);
    }
    return this.#memory.subarray(0, this.#pageCount * pageBytes);
  }

  /** Where an image of this page goes; undefined if a newer one is present, or the database has shrunk since. */
  readonly #place = (number: number): number | undefined => {
    if (number === 0 || number > this.#pageCount || this.#filled[number] === 1) return undefined;
    this.#filled[number] = 1;
    return (number - 1) * pageBytes;
  };
}

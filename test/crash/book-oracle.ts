/**
 * The allowed states of a run's books after a crash: each is the result of one edit, which is not older than the last
 * acknowledged edit and not newer than the last requested one. The unit of time is up to the test.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { type Edit, type Pages, blankPages, applyEdit } from './book.ts';

interface Known {
  readonly pages: Pages;
  readonly askedAt: number;
  readonly acknowledgedAt: number;
  /** When it became certain that it never happened. */
  readonly lostAt: number;
}

export class BookOracle {
  /** By version. */
  readonly #known: Known[];
  #last: Pages;

  private constructor(known: Known[], last: Pages) {
    this.#known = known;
    this.#last = last;
  }

  static blank(): BookOracle {
    const known = { pages: blankPages, askedAt: 0, acknowledgedAt: 0, lostAt: Infinity };
    return new BookOracle([known], blankPages);
  }

  /** A version that no edit has used, not even a lost one. */
  get nextVersion(): number {
    return this.#known.at(-1)!.pages.version + 1;
  }

  ask(edit: Edit, now: number): void {
    this.#last = applyEdit(this.#last, edit);
    this.#known.push({ pages: this.#last, askedAt: now, acknowledgedAt: Infinity, lostAt: Infinity });
  }

  acknowledge(version: number, now: number): void {
    const index = this.#known.findIndex(({ pages }) => pages.version === version);
    this.#known[index] = { ...this.#known[index]!, acknowledgedAt: now };
  }

  /** Records that an edit failed. No other edit of the book was requested meanwhile. */
  refuse(version: number, now: number): void {
    const known = this.#known.pop()!;
    equal(known.pages.version, version);
    this.#known.push({ ...known, lostAt: now });
    this.#last = this.#known.findLast(({ lostAt }) => lostAt === Infinity)!.pages;
  }

  /** Throws unless this is an allowed state of a book after a crash. */
  check(book: string, found: Pages, crashedAt: number): void {
    const possible = this.#known.filter(({ askedAt, lostAt }) => askedAt <= crashedAt && lostAt > crashedAt);
    const oldest = possible.findLast(({ acknowledgedAt }) => acknowledgedAt <= crashedAt)!;
    ok(
      found.version >= oldest.pages.version,
      `${book} is at edit ${found.version}, but edit ${oldest.pages.version} was acknowledged`,
    );
    const known = possible.find(({ pages }) => pages.version === found.version);
    ok(known !== undefined, `${book} is at edit ${found.version}, which nobody asked for`);
    deepEqual(found, known.pages, `${book} is not what edit ${found.version} left`);
  }

  /**
   * The oracle of the next life, in its own time: until `settledAt` another crash may still decide about edits that
   * were neither acknowledged nor lost; from then on, the found state is final.
   */
  after(crashedAt: number, found: Pages, settledAt: number): BookOracle {
    const known = this.#known.filter(({ askedAt, lostAt }) => askedAt <= crashedAt && lostAt > crashedAt);
    return new BookOracle(
      known.map(({ pages, acknowledgedAt }) => ({
        pages,
        askedAt: 0,
        acknowledgedAt:
          acknowledgedAt <= crashedAt ? 0 : pages.version <= found.version ? settledAt : Infinity,
        lostAt: pages.version <= found.version ? Infinity : settledAt,
      })),
      found,
    );
  }
}

/**
 * What the books of a run may look like after a crash: each as some edit left it, that edit not older than the
 * last one acknowledged and not younger than the last one asked for. Moments are whatever the test counts in.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { type Edit, type Pages, blankPages, applyEdit } from './book.ts';

interface Known {
  readonly pages: Pages;
  readonly askedAt: number;
  readonly acknowledgedAt: number;
  /** When it became clear that it never happened. */
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

  /** A version that no edit ever had, not even a lost one. */
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

  /** An edit failed. Nothing else was asked of the book meanwhile. */
  refuse(version: number, now: number): void {
    const known = this.#known.pop()!;
    equal(known.pages.version, version);
    this.#known.push({ ...known, lostAt: now });
    this.#last = this.#known.findLast(({ lostAt }) => lostAt === Infinity)!.pages;
  }

  /** Throws unless a book may look like that after a crash. */
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
   * The oracle of the life that follows, in its own moments: until `settledAt` another crash may yet decide
   * otherwise about what was neither acknowledged nor lost, from then on what was found is what happened.
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

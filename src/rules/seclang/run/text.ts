/**
 * A value of a request with everything that was computed from it: its kinds of bytes, the result of each chain of
 * transformations, and the tests of rules that may match it.
 */
import { spendSteps, suspectSteps } from '#work';
import { hasTest, type Prefilter, type TestSet } from '../prefilter.ts';
import type { TestGroup } from '../program/test-group.ts';
import { findByteKinds } from '../transformations/byte-kinds.ts';
import type { Chain } from '../transformations/chain.ts';
import type { Transformation } from '../transformations/transformation.ts';

/** Creates and shares texts. */
export interface TextHome {
  readonly prefilter: Prefilter;
  readonly allTests: TestSet;
  /** A buffer for a set that is not retained. */
  readonly scratch: TestSet;
}

/** The maximum cost of the slowest transformation. */
const stepsPerByteChanged = 10;

/** Groups that a text caches: it occurs in few places of a request. */
const groupsMax = 8;

/*
 * The caches of a text are short linked lists: an array that grows allocates room for 17 entries with the first, and
 * every value of a request has several.
 */

/** The result of a chain, or of a single transformation. */
interface Transformed {
  readonly by: Chain | Transformation;
  readonly after: RequestText;
  readonly next: Transformed | undefined;
}

/** A group whose tests were filtered. */
interface FilteredGroup {
  readonly group: TestGroup;
  /** Whether all of its tests are excluded. */
  isQuiet: boolean;
  readonly next: FilteredGroup | undefined;
}

export class RequestText {
  readonly value: string;
  /** The sample of the value, for tables; 0 for results of transformations. */
  readonly sample: number;
  /** The kinds of bytes (`byte-kinds.ts`) that occur. */
  readonly kinds: number;
  readonly #home: TextHome;
  /** All texts that were computed from the same value: chains often have the same result. */
  #relatives: RequestText[] | undefined;
  /** Including single transformations: chains that start differently often reach the same value, and continue alike. */
  #changes: Transformed | undefined;
  #hits: TestSet | undefined;
  /** The tests that are not excluded. */
  #candidates: TestSet;
  #filtered: FilteredGroup | undefined;
  #filteredCount = 0;

  constructor(value: string, home: TextHome, sample: number, relatives?: RequestText[]) {
    this.value = value;
    this.sample = sample;
    this.#relatives = relatives;
    this.kinds = findByteKinds(value);
    this.#home = home;
    this.#candidates = home.allTests;
  }

  transform(chain: Chain): RequestText {
    if ((this.kinds & chain.touches) === 0) return this;
    return this.#recall(chain) ?? this.#keep(chain, this.transform(chain.parent!).#apply(chain));
  }

  /** Whether a test may match the value after its own transformations. */
  mayMatch(test: number): boolean {
    return hasTest(this.#candidates, test);
  }

  /** The same for the unchanged value, if it was scanned before. */
  mayMatchAsItIs(test: number): boolean {
    return this.#hits === undefined || hasTest(this.#hits, test);
  }

  /** A test has examined the value, after its transformations, and does not match it. */
  ruleOut(test: number): void {
    this.#ownCandidates()[test >>> 5]! &= ~(1 << (test & 31));
  }

  /** Adds the tests of a group that may match the value. */
  addCandidates(found: TestSet, group: TestGroup): void {
    let filtered = this.#filtered;
    while (filtered !== undefined && filtered.group !== group) filtered = filtered.next;
    filtered ??= this.#filter(group);
    if (filtered.isQuiet) return;
    const candidates = this.#candidates;
    const { set, words } = group;
    let any = 0;
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      const own = candidates[word]! & set[word]!;
      found[word]! |= own;
      any |= own;
    }
    filtered.isQuiet = any === 0;
  }

  /** The tests that may match the unchanged value. */
  #scan(): TestSet {
    if (this.#hits === undefined) {
      spendSteps(1 + (this.value.length >>> 1));
      this.#hits = this.#home.prefilter.scan(this.value);
    }
    return this.#hits;
  }

  /** Excludes the tests of a group whose literals do not occur. */
  #filter(group: TestGroup): FilteredGroup {
    const { unchanged, open, changed } = group.planFor(this.kinds);
    const { set, words } = group;
    const own = this.#scan();
    const found = this.#home.scratch;
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      found[word] = (own[word]! & unchanged[word]!) | open[word]!;
    }
    for (const { chain, tests } of changed) {
      const hits = this.transform(chain).#scan();
      for (let at = 0; at < words.length; at++) {
        const word = words[at]!;
        found[word]! |= hits[word]! & tests[word]!;
      }
    }
    const candidates = this.#ownCandidates();
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      candidates[word]! &= found[word]! | ~set[word]!;
    }
    if (this.#filteredCount++ === groupsMax) [this.#filtered, this.#filteredCount] = [undefined, 1];
    this.#filtered = { group, isQuiet: false, next: this.#filtered };
    return this.#filtered;
  }

  #ownCandidates(): TestSet {
    if (this.#candidates === this.#home.allTests) this.#candidates = this.#home.allTests.slice();
    return this.#candidates;
  }

  #apply({ last }: Chain): RequestText {
    if ((this.kinds & last!.touches) === 0) return this;
    return this.#recall(last!) ?? this.#keep(last!, this.#change(last!));
  }

  #recall(change: Chain | Transformation): RequestText | undefined {
    let known = this.#changes;
    while (known !== undefined && known.by !== change) known = known.next;
    return known?.after;
  }

  #keep(change: Chain | Transformation, after: RequestText): RequestText {
    this.#changes = { by: change, after, next: this.#changes };
    return after;
  }

  #change(transformation: Transformation): RequestText {
    suspectSteps(stepsPerByteChanged * this.value.length);
    const changed = transformation.apply(this.value);
    if (changed === this.value) return this;
    const after = this.#relate(changed);
    // Literals are searched ignoring case.
    if (transformation.changesCaseOnly === true) after.#hits ??= this.#scan();
    return after;
  }

  #relate(value: string): RequestText {
    const relatives = (this.#relatives ??= [this]);
    const known = relatives.find((relative) => relative.value === value);
    if (known !== undefined) return known;
    const text = new RequestText(value, this.#home, 0, relatives);
    relatives.push(text);
    return text;
  }
}

/**
 * A value of a request with everything that was computed from it: its kinds of bytes, what each chain of transformations
 * makes of it, and which tests of rules it may match.
 */
import { spendSteps, suspectSteps } from '#base';
import { hasTest, type Prefilter, type TestSet } from '../prefilter.ts';
import type { TestGroup } from '../program/test-group.ts';
import { findByteKinds } from '../transformations/byte-kinds.ts';
import type { Chain } from '../transformations/chain.ts';
import type { Transformation } from '../transformations/transformation.ts';

/** Where texts come from. */
export interface TextHome {
  readonly prefilter: Prefilter;
  readonly allTests: TestSet;
}

/** What the slowest transformation takes at most. */
const stepsPerByteChanged = 10;

const noGroups: readonly TestGroup[] = [];

/** Groups that a text remembers: it stands in few places of a request. */
const groupsMax = 8;

export class Text {
  readonly value: string;
  /** Of the value, for tables; 0 for what transformations make. */
  readonly sample: number;
  /** Which kinds of bytes (`byte-kinds.ts`) occur. */
  readonly kinds: number;
  readonly #home: TextHome;
  /** All texts that were made from the same value: chains often come to the same result. */
  #relatives: Text[] | undefined;
  /**
   * Chains and single transformations, and beside them what they make of the value: chains that begin otherwise often come
   * to the same value, and go on alike. There are few, so that looking through them is quick.
   */
  #changes: (Chain | Transformation)[] | undefined;
  #changed: Text[] | undefined;
  #hits: TestSet | undefined;
  /** The tests that are not ruled out. */
  #candidates: TestSet;
  /** Groups whose tests were filtered, and groups of which all tests are ruled out. */
  #filteredGroups: readonly TestGroup[] = noGroups;
  #quietGroups: readonly TestGroup[] = noGroups;

  constructor(value: string, home: TextHome, sample: number, relatives?: Text[]) {
    this.value = value;
    this.sample = sample;
    this.#relatives = relatives;
    this.kinds = findByteKinds(value);
    this.#home = home;
    this.#candidates = home.allTests;
  }

  transform(chain: Chain): Text {
    if ((this.kinds & chain.touches) === 0) return this;
    return this.#recall(chain) ?? this.#keep(chain, this.transform(chain.parent!).#apply(chain));
  }

  /** Whether a test may match the value after its own transformations. */
  mayMatch(test: number): boolean {
    return hasTest(this.#candidates, test);
  }

  /** A test has looked at the value, after its transformations, and does not match it. */
  ruleOut(test: number): void {
    if (this.#candidates === this.#home.allTests) this.#candidates = this.#home.allTests.slice();
    this.#candidates[test >>> 5]! &= ~(1 << (test & 31));
  }

  /** Adds the tests of a group that may match the value. */
  addCandidates(found: TestSet, group: TestGroup): void {
    if (this.#quietGroups.includes(group)) return;
    if (!this.#filteredGroups.includes(group)) this.#filter(group);
    const [candidates, { set, words }] = [this.#candidates, group];
    let any = 0;
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      const own = candidates[word]! & set[word]!;
      found[word]! |= own;
      any |= own;
    }
    if (any === 0) this.#quietGroups = remember(this.#quietGroups, group);
  }

  /** The tests that may match the value as it stands. */
  #scan(): TestSet {
    if (this.#hits === undefined) {
      spendSteps(1 + (this.value.length >>> 1));
      this.#hits = this.#home.prefilter.scan(this.value);
    }
    return this.#hits;
  }

  /** Rules out the tests of a group whose literals do not occur. */
  #filter(group: TestGroup): void {
    this.#filteredGroups = remember(this.#filteredGroups, group);
    const { unchanged, open, changed } = group.planFor(this.kinds);
    const own = this.#scan();
    const { set, words } = group;
    const found = this.#home.allTests.slice();
    for (const word of words) found[word] = (own[word]! & unchanged[word]!) | open[word]!;
    for (const { chain, tests } of changed) {
      const hits = this.transform(chain).#scan();
      for (const word of words) found[word]! |= hits[word]! & tests[word]!;
    }
    for (const word of words) found[word]! |= ~set[word]!;
    for (let word = 0; word < found.length; word++) found[word]! &= this.#candidates[word]!;
    this.#candidates = found;
  }

  #apply({ last }: Chain): Text {
    if ((this.kinds & last!.touches) === 0) return this;
    return this.#recall(last!) ?? this.#keep(last!, this.#change(last!));
  }

  #recall(change: Chain | Transformation): Text | undefined {
    const at = this.#changes === undefined ? -1 : this.#changes.indexOf(change);
    return at === -1 ? undefined : this.#changed![at];
  }

  #keep(change: Chain | Transformation, after: Text): Text {
    (this.#changes ??= []).push(change);
    (this.#changed ??= []).push(after);
    return after;
  }

  #change(transformation: Transformation): Text {
    suspectSteps(stepsPerByteChanged * this.value.length);
    const changed = transformation.apply(this.value);
    if (changed === this.value) return this;
    const after = this.#relate(changed);
    // Literals are looked for without case.
    if (transformation.changesCaseOnly === true) after.#hits ??= this.#scan();
    return after;
  }

  #relate(value: string): Text {
    const relatives = (this.#relatives ??= [this]);
    const known = relatives.find((relative) => relative.value === value);
    if (known !== undefined) return known;
    const text = new Text(value, this.#home, 0, relatives);
    relatives.push(text);
    return text;
  }
}

function remember(groups: readonly TestGroup[], group: TestGroup): readonly TestGroup[] {
  return [...groups.slice(1 - groupsMax), group];
}

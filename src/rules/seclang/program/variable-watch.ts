import { BoundedMap } from '#base';
import { copyBytes } from '#text';
import type { LinkTest, TargetSource } from '../model.ts';
import { selects } from '../read/targets.ts';
import { TestGroup } from './test-group.ts';

/** Keys whose group is cached: the names of headers and cookies, which recur. */
const keysMax = 1_024;
const keyLengthMax = 64;

/** Tests that read the values of a source. */
export interface WatchedTests {
  readonly source: TargetSource;
  readonly tests: readonly LinkTest[];
}

/**
 * One variable with all tests that read it, whatever part of it they select: each of its values is examined once, for
 * all of them.
 */
export class VariableWatch {
  readonly variableNumber: number;
  readonly #parts: readonly WatchedTests[];
  readonly #words: number;
  /** Set if the same tests read every value. */
  readonly #single: TestGroup | undefined;
  readonly #bySources = new Map<string, TestGroup>();
  readonly #byKey = new BoundedMap<string, TestGroup | undefined>(keysMax);

  constructor(parts: readonly WatchedTests[], words: number) {
    this.variableNumber = parts[0]!.source.variableNumber;
    this.#parts = parts;
    this.#words = words;
    const isWhole = parts.every(
      ({ source }) => source.target.selector.kind === 'all' && source.excluded.length === 0,
    );
    this.#single = isWhole ? this.#groupOf(parts) : undefined;
  }

  /** The tests that read the value of a key. */
  groupFor(key: string): TestGroup | undefined {
    if (this.#single !== undefined) return this.#single;
    const known = this.#byKey.get(key);
    if (known !== undefined || this.#byKey.has(key)) return known;
    const seenBy = this.#parts.filter(
      ({ source: { target, excluded } }) =>
        selects(target.selector, key) && !excluded.some(({ selector }) => selects(selector, key)),
    );
    const group = seenBy.length === 0 ? undefined : this.#groupOf(seenBy);
    if (key.length <= keyLengthMax) {
      this.#byKey.set(copyBytes(key), group);
    }
    return group;
  }

  #groupOf(parts: readonly WatchedTests[]): TestGroup {
    const sources = parts.map(({ source }) => source.number).join(' ');
    let group = this.#bySources.get(sources);
    if (group === undefined) {
      group = new TestGroup([...new Set(parts.flatMap(({ tests }) => tests))], this.#words);
      this.#bySources.set(sources, group);
    }
    return group;
  }
}

import { transactionVariablesMax } from '../limits.ts';
import { selects, type Selector } from '../read/targets.ts';
import type { Entry } from '../variables/request-variables.ts';

/**
 * TX of one request: the variables that are set before every request, and what this one changes. Most requests change a few
 * of a hundred, so the others are neither copied nor looked through.
 */
export class TxVariables {
  readonly #given: ReadonlyMap<string, string>;
  readonly #changed = new Map<string, string>();
  /** Everything, once a variable is removed. */
  #all: Map<string, string> | undefined;

  constructor(given: ReadonlyMap<string, string>) {
    this.#given = given;
  }

  get(key: string): string | undefined {
    if (this.#all !== undefined) return this.#all.get(key);
    return this.#changed.get(key) ?? this.#given.get(key);
  }

  /** Further variables than there is room for are dropped. */
  set(key: string, value: string | undefined): void {
    if (value === undefined) return this.#remove(key);
    const map = this.#all ?? this.#changed;
    if (map.size < transactionVariablesMax || map.has(key)) map.set(key, value);
  }

  /** In the order in which they were set first. */
  list(selector: Selector): readonly Entry[] {
    if (selector.kind === 'key') {
      const value = this.get(selector.key);
      return value === undefined ? [] : [[selector.key, value]];
    }
    if (this.#all !== undefined) return [...this.#all].filter(([key]) => selects(selector, key));
    const found: Entry[] = findGiven(this.#given, selector).map((key) => [key, this.get(key)!]);
    for (const entry of this.#changed)
      if (!this.#given.has(entry[0]) && selects(selector, entry[0])) found.push(entry);
    return found;
  }

  #remove(key: string): void {
    if (this.#all === undefined) {
      this.#all = new Map(this.#given);
      for (const [other, value] of this.#changed) this.#all.set(other, value);
    }
    this.#all.delete(key);
  }
}

/** By variables that are the same for all requests: the names that a selector means. */
const givenNames = new WeakMap<ReadonlyMap<string, string>, Map<Selector, readonly string[]>>();

function findGiven(given: ReadonlyMap<string, string>, selector: Selector): readonly string[] {
  let bySelector = givenNames.get(given);
  if (bySelector === undefined) givenNames.set(given, (bySelector = new Map()));
  let names = bySelector.get(selector);
  if (names === undefined)
    bySelector.set(selector, (names = [...given.keys()].filter((key) => selects(selector, key))));
  return names;
}

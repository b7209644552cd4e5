/**
 * What is certain about TX at some place among the rules, whatever the request. Rules that look at nothing else are decided
 * before a request comes: they are run with this instead of one, and what they ask for beyond it is not known.
 */
import type { ActionScope, Controls } from '../actions/action.ts';
import { expandedBytesMax, transactionVariablesMax } from '../limits.ts';
import type { Rule } from '../model.ts';

/** Thrown where the answer depends on the request. There is one of it, so that throwing it costs little. */
class NotKnown extends Error {
  override readonly name = 'NotKnown';
}

const notKnown = new NotKnown('it depends on the request');

/** What `decide` gives, or undefined if that depends on the request. */
export function unlessNotKnown<T>(decide: () => T): T | undefined {
  try {
    return decide();
  } catch (error) {
    if (error === notKnown) return undefined;
    throw error;
  }
}

export function dependsOnRequest(): never {
  throw notKnown;
}

/** What a rule with `capture` may write. */
const capturedNames = Array.from({ length: 10 }, (_, index) => String(index));

export class KnownVariables implements ActionScope {
  /** A variable that is neither here nor unknown does not exist. */
  readonly #values: Map<string, string>;
  readonly #unknown: Set<string>;
  /** Beginnings of names: some rule writes variables whose names depend on the request. */
  readonly #unknownPrefixes: Set<string>;

  constructor(
    values: Iterable<readonly [string, string]>,
    unknown: Iterable<string> = [],
    unknownPrefixes: Iterable<string> = [],
  ) {
    this.#values = new Map(values);
    this.#unknown = new Set(unknown);
    this.#unknownPrefixes = new Set(unknownPrefixes);
  }

  get values(): ReadonlyMap<string, string> {
    return this.#values;
  }

  get controls(): Controls {
    throw notKnown;
  }

  copy(): KnownVariables {
    return new KnownVariables(this.#values, this.#unknown, this.#unknownPrefixes);
  }

  /** What is certain if either of the two is the case. */
  meet(other: KnownVariables): KnownVariables {
    const both = new KnownVariables(
      this.#values,
      this.#unknown.union(other.#unknown),
      this.#unknownPrefixes.union(other.#unknownPrefixes),
    );
    for (const key of new Set([...this.#values.keys(), ...other.#values.keys()])) {
      if (this.#values.get(key) !== other.#values.get(key)) both.#forgetValue(key);
    }
    return both;
  }

  read(key: string): string | undefined {
    if (this.#unknown.has(key)) throw notKnown;
    for (const prefix of this.#unknownPrefixes) if (key.startsWith(prefix)) throw notKnown;
    return this.#values.get(key);
  }

  lookUp(variable: string, key: string | undefined): string {
    if (variable !== 'TX') throw notKnown;
    return this.read(key ?? '') ?? '';
  }

  setVariable(collection: string, key: string, value: string | undefined): void {
    if (collection !== 'TX' || this.#values.size >= transactionVariablesMax) throw notKnown;
    this.#unknown.delete(key);
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value.slice(0, expandedBytesMax));
  }

  openCollection(): void {
    throw notKnown;
  }

  expireVariable(): void {
    throw notKnown;
  }

  /** A rule runs whose outcome depends on the request: what it may write is not certain any more. */
  forgetWritten({ links }: Rule): void {
    for (const { test, actions } of links) {
      if (test?.captures === true) for (const name of capturedNames) this.#forgetValue(name);
      for (const { writes } of actions) {
        if (writes === undefined || writes.collection !== 'TX') continue;
        const { name } = writes;
        if (name.constant !== undefined) this.#forgetValue(name.constant.toLowerCase());
        else this.#unknownPrefixes.add(name.prefix.toLowerCase());
      }
    }
  }

  #forgetValue(key: string): void {
    this.#values.delete(key);
    this.#unknown.add(key);
  }
}

/**
 * The TX variables whose values are known at some place among the rules, for every request. Rules that read nothing
 * else are decided in advance: they are run with this in place of a request, and anything else they read is unknown.
 */
import type { ActionScope, Controls } from '../actions/action.ts';
import { expandedBytesMax, transactionVariablesMax } from '../limits.ts';
import type { Rule } from '../model.ts';

/** Thrown if the result depends on the request. A single instance, so that throwing it is cheap. */
class NotKnown extends Error {
  override readonly name = 'NotKnown';
}

const notKnown = new NotKnown('it depends on the request');

/** The result of `decide`, or undefined if it depends on the request. */
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

/** The names that a rule with `capture` may write. */
const capturedNames = Array.from({ length: 10 }, (_, index) => String(index));

export class KnownVariables implements ActionScope {
  /** A variable that is neither here nor unknown does not exist. */
  readonly #values: Map<string, string>;
  readonly #unknown: Set<string>;
  /** Name prefixes: some rule writes variables whose names depend on the request. */
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

  /** The variables known in both cases. */
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

  /** A rule runs whose result depends on the request: the variables that it may write become unknown. */
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

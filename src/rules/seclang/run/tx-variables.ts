import { expandedBytesMax, transactionVariablesMax } from '../limits.ts';
import type { Operator } from '../operators/operator.ts';
import { selects, type Selector } from '../read/targets.ts';
import type { MacroScope } from '../template.ts';
import type { VariableEntry } from '../variables/request-variables.ts';

/** The match of a rule with `capture`. */
interface Capture {
  readonly operator: Operator;
  readonly value: string;
  readonly scope: MacroScope;
}

/** The names under which captures are stored. */
const capturedMax = 10;

/**
 * TX of one request: the variables that are set before every request, and the changes of this one. Most requests change
 * a few of a hundred, so the others are neither copied nor searched. Captures are computed when they are read: in a
 * long value that takes longer than testing for a match.
 */
export class TxVariables {
  readonly #given: ReadonlyMap<string, string>;
  readonly #changed = new Map<string, string>();
  /** All variables; set once a variable is removed. */
  #all: Map<string, string> | undefined;
  /** In their order; one for each operator, because the number of groups differs between operators. */
  #captures: Capture[] = [];

  constructor(given: ReadonlyMap<string, string>) {
    this.#given = given;
  }

  get(key: string): string | undefined {
    if (this.#captures.length > 0 && isCaptured(key)) this.#storeCaptures();
    if (this.#all !== undefined) return this.#all.get(key);
    return this.#changed.get(key) ?? this.#given.get(key);
  }

  /** Variables beyond the limit are dropped. */
  set(key: string, value: string | undefined): void {
    if (this.#captures.length > 0 && isCaptured(key)) this.#storeCaptures();
    if (value === undefined) this.#remove(key);
    else this.#store(key, value);
  }

  /** `isLater`: whether the captures depend only on the value, and can therefore be computed later. */
  capture(capture: Capture, isLater: boolean): void {
    if (this.#captures.at(-1)?.operator === capture.operator) this.#captures.pop();
    this.#captures.push(capture);
    if (!isLater) this.#storeCaptures();
  }

  /** In the order in which they were first set. */
  list(selector: Selector): readonly VariableEntry[] {
    if (selector.kind === 'key') {
      const value = this.get(selector.key);
      return value === undefined ? [] : [[selector.key, value]];
    }
    if (this.#captures.length > 0) this.#storeCaptures();
    if (this.#all !== undefined) return [...this.#all].filter(([key]) => selects(selector, key));
    const found: VariableEntry[] = findGiven(this.#given, selector).map((key) => [key, this.get(key)!]);
    for (const entry of this.#changed)
      if (!this.#given.has(entry[0]) && selects(selector, entry[0])) found.push(entry);
    return found;
  }

  #storeCaptures(): void {
    const captures = this.#captures;
    this.#captures = [];
    for (const { operator, value, scope } of captures) {
      const groups = operator.capture(value, scope);
      for (let index = 0; index < Math.min(groups.length, capturedMax); index++)
        this.#store(String(index), (groups[index] ?? '').slice(0, expandedBytesMax));
    }
  }

  #store(key: string, value: string): void {
    const map = this.#all ?? this.#changed;
    if (map.size < transactionVariablesMax || map.has(key)) map.set(key, value);
  }

  #remove(key: string): void {
    if (this.#all === undefined) {
      this.#all = new Map(this.#given);
      for (const [other, value] of this.#changed) this.#all.set(other, value);
    }
    this.#all.delete(key);
  }
}

function isCaptured(key: string): boolean {
  return key.length === 1 && key >= '0' && key <= '9';
}

/** By the variables that all requests share: the names that a selector matches. */
const givenNames = new WeakMap<ReadonlyMap<string, string>, Map<Selector, readonly string[]>>();

function findGiven(given: ReadonlyMap<string, string>, selector: Selector): readonly string[] {
  let bySelector = givenNames.get(given);
  if (bySelector === undefined) givenNames.set(given, (bySelector = new Map()));
  let names = bySelector.get(selector);
  if (names === undefined)
    bySelector.set(selector, (names = [...given.keys()].filter((key) => selects(selector, key))));
  return names;
}

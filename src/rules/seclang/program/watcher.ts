import type { LinkTest, Rule, Source } from '../model.ts';
import { TestGroup } from './test-group.ts';
import { VariableWatch } from './variable-watch.ts';

/** A source with the tests that look at its values. */
interface WatchedSource {
  readonly source: Source;
  readonly tests: TestGroup;
}

/** What the first tests of steps look at. */
export interface Watched {
  readonly variables: readonly VariableWatch[];
  /** Numbers of values, and parts of XML. */
  readonly sources: readonly WatchedSource[];
}

interface WatchingStep {
  readonly rule: Rule;
  /** Of the first link; -1 if the rule runs whatever the request. */
  readonly test: number;
}

/** Knows the tests that rules of any phase begin with, by source: what is known of a value holds for all phases. */
export class Watcher {
  readonly #testsOf = new Map<Source, LinkTest[]>();
  readonly #words: number;

  constructor(steps: readonly WatchingStep[], words: number) {
    this.#words = words;
    for (const { rule, test: number } of steps) {
      if (number === -1) continue;
      const test = rule.links[0]!.test!;
      for (const source of test.sources) {
        const tests = this.#testsOf.get(source);
        if (tests === undefined) this.#testsOf.set(source, [test]);
        else tests.push(test);
      }
    }
  }

  watch(sources: readonly Source[]): Watched {
    const isWhole = ({ target, variableNumber }: Source): boolean => !target.isCount && variableNumber !== -1;
    const byVariable = Map.groupBy(sources.filter(isWhole), ({ variableNumber }) => variableNumber);
    return {
      variables: Array.from(byVariable.values(), (parts) => {
        const watched = parts.map((source) => ({ source, tests: this.#testsOf.get(source)! }));
        return new VariableWatch(watched, this.#words);
      }),
      sources: sources
        .filter((source) => !isWhole(source))
        .map((source) => ({ source, tests: new TestGroup(this.#testsOf.get(source)!, this.#words) })),
    };
  }
}

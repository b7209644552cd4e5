import type { LinkTest, Rule, TargetSource } from '../model.ts';
import { TestGroup } from './test-group.ts';
import { VariableWatch } from './variable-watch.ts';

/** A source with the tests that read its values. */
interface WatchedSource {
  readonly source: TargetSource;
  readonly tests: TestGroup;
}

/** The values that the first tests of steps read. */
export interface WatchedValues {
  readonly variables: readonly VariableWatch[];
  /** Counts of values, and parts of XML. */
  readonly sources: readonly WatchedSource[];
}

interface WatchingStep {
  readonly rule: Rule;
  /** The test of the first link; -1 if the rule always runs. */
  readonly test: number;
}

/** The first tests of the rules of all phases, by source: the results for a value hold for all phases. */
export class Watcher {
  readonly #testsOf = new Map<TargetSource, LinkTest[]>();
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

  watch(sources: readonly TargetSource[]): WatchedValues {
    const isWhole = ({ target, variableNumber }: TargetSource): boolean =>
      !target.isCount && variableNumber !== -1;
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

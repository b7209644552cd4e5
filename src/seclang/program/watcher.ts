import type { LinkTest, Source } from '../model.ts';
import type { ProgramStep, Watched } from './program.ts';
import { TestGroup } from './test-group.ts';
import { VariableWatch } from './variable-watch.ts';

/** Knows the tests that rules of any phase begin with, by source: what is known of a value holds for all phases. */
export class Watcher {
  readonly #testsOf = new Map<Source, LinkTest[]>();
  readonly #words: number;

  constructor(steps: readonly ProgramStep[], words: number) {
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

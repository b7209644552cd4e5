/**
 * Answers how much a section of a run added to the tallies asked for, from those that are known: by a
 * formula where there is one, else by looking for runs that fit. An answer is exact when no other run
 * would fit; else it is the most ordinary one.
 */
import type { Balance, Row, Rules, VariableValues } from './balances.ts';
import { type Flow, solveFlow } from './flow.ts';
import { evaluate, findFormula, type Formula } from './formula.ts';
import { type IntegerProblem, search } from './integer-program.ts';
import type { RouteMap } from './route-map.ts';
import type { Budget, Constraint } from './simplex.ts';
import { tally } from './tallies.ts';

export interface Answer {
  readonly value: number;
  readonly exact: boolean;
}

/** Known tallies and their values, in the same order. */
export interface Known {
  readonly tallies: readonly number[];
  readonly values: readonly number[];
}

const readPrice = 0.001;
const unusualEndPrice = 3;

export class SectionSolver {
  readonly #map: RouteMap;
  readonly #flow: Flow;
  readonly #balances: readonly Balance[];
  readonly #formulas = new Map<string, Formula | undefined>();

  constructor(map: RouteMap, balances: readonly Balance[]) {
    this.#map = map;
    this.#flow = solveFlow(map);
    this.#balances = balances;
  }

  /** The answers for the targets in their order; undefined if nothing fits what is known. */
  solve(
    observed: Known,
    targets: readonly number[],
    variables: VariableValues,
    finished: boolean,
    budget: Budget,
  ): Answer[] | undefined {
    const applying = this.#balances.flatMap((balance) => {
      const rules = balance.rules(variables, finished);
      return rules === undefined ? [] : [{ balance, rules }];
    });
    const settled = finished ? this.#findSettled(applying) : [];
    const known: Known = {
      tallies: [...observed.tallies, ...settled],
      values: [...observed.values, ...settled.map(() => 0)],
    };
    const direct = targets.map((target) => {
      const formula = this.#formula(known.tallies, target);
      return formula === undefined ? undefined : { value: evaluate(formula, known.values), exact: true };
    });
    if (direct.every(isAnswer)) return direct;
    if (direct.some((answer) => answer !== undefined && answer.value === undefined)) return undefined;

    const problem = this.#problem(
      known,
      applying.map(({ rules }) => rules),
    );
    const likely = search(problem, ...this.#leastSurprise(), budget, 'best');
    if (likely.counts === undefined) return undefined;
    const { counts, state } = likely;
    return targets.map((target, index) => {
      const answer = direct[index];
      return isAnswer(answer) ? answer : this.#ask(problem, target, counts, state === 'found', budget);
    });
  }

  #formula(known: readonly number[], target: number): Formula | undefined {
    const key = `${known.join(' ')} ${target}`;
    if (!this.#formulas.has(key)) this.#formulas.set(key, findFormula(this.#flow, known, target));
    return this.#formulas.get(key);
  }

  /**
   * The least surprising run, and among such the one that reads least: nearest the truth most often.
   * One more unknown stands for the range ends beyond the first.
   */
  #leastSurprise(): [objective: Float64Array, extra: Constraint[]] {
    const { free, tallyEffects, tallyBase } = this.#flow;
    const unusualEnds = free.length;
    const objective = new Float64Array(free.length + 1);
    const coefficients = new Float64Array(free.length + 1);
    for (let unknown = 0; unknown < free.length; unknown++) {
      objective[unknown] =
        tallyEffects[tally.surprise]![unknown]! + tallyEffects[tally.read]![unknown]! * readPrice;
      coefficients[unknown] = -tallyEffects[tally.rangeEnds]![unknown]!;
    }
    objective[unusualEnds] = unusualEndPrice;
    coefficients[unusualEnds] = 1;
    return [objective, [{ coefficients, constant: 1 - tallyBase[tally.rangeEnds]!, kind: 'atLeastZero' }]];
  }

  /** The value the likely counts give, and whether any other is possible. */
  #ask(
    problem: IntegerProblem,
    target: number,
    counts: Float64Array,
    whole: boolean,
    budget: Budget,
  ): Answer {
    const effects = this.#flow.tallyEffects[target]!;
    const change = effects.reduce((sum, effect, unknown) => sum + effect * counts[unknown]!, 0);
    const value = Math.round(this.#flow.tallyBase[target]! + change);
    if (!whole) return { value, exact: false };
    const more: Constraint = { coefficients: effects, constant: -change - 1, kind: 'atLeastZero' };
    const fewer: Constraint = {
      coefficients: effects.map((effect) => -effect),
      constant: change - 1,
      kind: 'atLeastZero',
    };
    const exact = [more, fewer].every((other) => {
      const none = new Float64Array(effects.length);
      return search(problem, none, [other], budget, 'first').state === 'none';
    });
    return { value, exact };
  }

  #problem(known: Known, rules: readonly Rules[]): IntegerProblem {
    const { tallyBase, tallyEffects, treeBase, treeEffects } = this.#flow;
    const constraints: Constraint[] = known.tallies.map((index, at) => ({
      coefficients: tallyEffects[index]!,
      constant: tallyBase[index]! - known.values[at]!,
      kind: 'zero',
    }));
    treeEffects.forEach((coefficients, index) =>
      constraints.push({ coefficients, constant: treeBase[index]!, kind: 'atLeastZero' }),
    );
    const alternatives: Constraint[][][] = [];
    for (const { always, cases } of rules) {
      constraints.push(...always.map((row) => this.#constraint(row)));
      const possible = cases
        .map((list) => list.map((row) => this.#constraint(row)))
        .filter((list) => !list.some(isHopeless));
      if (possible.length === 1) constraints.push(...possible[0]!);
      else alternatives.push(possible);
    }
    return { flow: this.#flow, entry: this.#map.entry, constraints, alternatives };
  }

  /** Tallies that are zero in every finished run, because no other case of their balance is possible. */
  #findSettled(rules: readonly { balance: Balance; rules: Rules }[]): number[] {
    return rules.flatMap(({ balance, rules: { cases } }) => {
      const [, ...others] = cases.map((list) => list.map((row) => this.#constraint(row)));
      const settled = balance.settled !== undefined && others.every((list) => list.some(isHopeless));
      return settled ? [balance.settled!] : [];
    });
  }

  #constraint({ terms, constant }: Row): Constraint {
    const coefficients = new Float64Array(this.#flow.free.length);
    let total = constant;
    for (const [index, coefficient] of terms) {
      total += coefficient * this.#flow.tallyBase[index]!;
      this.#flow.tallyEffects[index]!.forEach(
        (effect, unknown) => (coefficients[unknown]! += coefficient * effect),
      );
    }
    return { coefficients, constant: total, kind: 'atLeastZero' };
  }
}

/** No counts can fulfil it. */
function isHopeless({ coefficients, constant }: Constraint): boolean {
  return constant < 0 && Array.prototype.every.call(coefficients, (coefficient: number) => coefficient <= 0);
}

function isAnswer(answer: { value: number | undefined; exact: boolean } | undefined): answer is Answer {
  return answer?.value !== undefined;
}

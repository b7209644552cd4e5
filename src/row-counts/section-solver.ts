/**
 * Answers how much a section of a run added to the tallies asked for, from those that are known: by a
 * formula where there is one, else by looking for runs that fit. An answer is exact when no other run
 * would fit; else it is the most ordinary one.
 */
import type { Balance, Row, Rules, VariableValues } from './balances.ts';
import { type Flow, solveFlow } from './flow.ts';
import { evaluate, KnownTallies } from './formula.ts';
import { type IntegerProblem, search } from './integer-program.ts';
import type { RouteMap } from './route-map.ts';
import { type Budget, type Constraint, Dictionary } from './simplex.ts';
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

/**
 * Prices, in units of surprise, that decide between runs which fit equally well. Measured against the
 * original: they gave the right answer most often, and hardly depend on the digits.
 */
const rowPrice = 0.5;
const endPrice = 0.6;
const unusualEndPrice = 3;

export class SectionSolver {
  readonly #map: RouteMap;
  readonly #flow: Flow;
  readonly #balances: readonly Balance[];
  readonly #known = new Map<string, KnownTallies>();

  constructor(map: RouteMap, balances: readonly Balance[]) {
    this.#map = map;
    this.#flow = solveFlow(map);
    this.#balances = balances;
  }

  /** The answers for the targets in their order; `none` if no run fits what is known. */
  solve(
    observed: Known,
    targets: readonly number[],
    variables: VariableValues,
    finished: boolean,
    budget: Budget,
  ): Answer[] | 'none' | 'gaveUp' {
    const applying = this.#balances.flatMap((balance) => {
      const rules = balance.rules(variables, finished);
      return rules === undefined ? [] : [{ balance, rules }];
    });
    const settled = finished ? this.#findSettled(applying) : [];
    const known: Known = {
      tallies: [...observed.tallies, ...settled],
      values: [...observed.values, ...settled.map(() => 0)],
    };
    const tallies = this.#knownTallies(known.tallies);
    if (!tallies.areConsistent(known.values)) return 'none';
    const direct = targets.map((target) => {
      const formula = tallies.formula(target);
      return formula === undefined ? undefined : { value: evaluate(formula, known.values), exact: true };
    });
    if (direct.some((answer) => answer !== undefined && !isCount(answer.value))) return 'none';
    if (direct.every(isAnswer)) return direct;

    const problem = this.#problem(
      known,
      applying.map(({ rules }) => rules),
    );
    const objective = this.#leastSurprise();
    const met = Dictionary.meet(objective.length, problem.constraints, budget);
    if (!(met instanceof Dictionary)) return met === 'infeasible' ? 'none' : 'gaveUp';
    const optimal = met.copy();
    if (optimal.minimise(objective) !== 'optimal') return 'gaveUp';
    const { state, counts } = search(problem, optimal, 'best');
    if (counts === undefined) return 'none';
    return targets.map((target, index) => {
      const answer = direct[index];
      if (isAnswer(answer)) return answer;
      const { effects, change } = this.#changeOf(target, counts);
      const value = Math.round(this.#flow.tallyBase[target]! + change);
      return { value, exact: state === 'found' && this.#isOnly(problem, met, effects, change) };
    });
  }

  #knownTallies(indexes: readonly number[]): KnownTallies {
    const key = indexes.join(' ');
    let tallies = this.#known.get(key);
    if (tallies === undefined) {
      tallies = new KnownTallies(this.#flow, indexes);
      this.#known.set(key, tallies);
    }
    return tallies;
  }

  /** By how much counts make a tally differ from its base. */
  #changeOf(target: number, counts: Float64Array): { effects: Float64Array; change: number } {
    const effects = this.#flow.tallyEffects[target]!;
    return { effects, change: effects.reduce((sum, effect, unknown) => sum + effect * counts[unknown]!, 0) };
  }

  /** Whether no other run, with more or with less, fits as well. */
  #isOnly(problem: IntegerProblem, met: Dictionary, effects: Float64Array, change: number): boolean {
    const more: Constraint = { coefficients: effects, constant: -change - 1, kind: 'atLeastZero' };
    const less: Constraint = {
      coefficients: effects.map((effect) => -effect),
      constant: change - 1,
      kind: 'atLeastZero',
    };
    return [more, less].every((other) => {
      const dictionary = met.copy();
      dictionary.add(other);
      return search(problem, dictionary, 'first').state === 'none';
    });
  }

  /**
   * The least surprising run, and among such the one that does least: nearest the truth most often. One
   * more unknown stands for the range ends beyond the first.
   */
  #leastSurprise(): Float64Array {
    const { free, tallyEffects } = this.#flow;
    const objective = new Float64Array(free.length + 1);
    for (let unknown = 0; unknown < free.length; unknown++) {
      const rows = tallyEffects[tally.read]![unknown]! + tallyEffects[tally.written]![unknown]!;
      const ends = tallyEffects[tally.rangeEnds]![unknown]!;
      objective[unknown] = tallyEffects[tally.surprise]![unknown]! + rows * rowPrice + ends * endPrice;
    }
    objective[free.length] = unusualEndPrice;
    return objective;
  }

  #unusualEnds(): Constraint {
    const { free, tallyEffects, tallyBase } = this.#flow;
    const coefficients = new Float64Array(free.length + 1);
    tallyEffects[tally.rangeEnds]!.forEach((effect, unknown) => (coefficients[unknown] = -effect));
    coefficients[free.length] = 1;
    return { coefficients, constant: 1 - tallyBase[tally.rangeEnds]!, kind: 'atLeastZero' };
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
    constraints.push(this.#unusualEnds());
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
      return settled ? [balance.settled] : [];
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

function isCount(value: number | undefined): value is number {
  return value !== undefined && value >= 0;
}

function isAnswer(answer: { value: number | undefined; exact: boolean } | undefined): answer is Answer {
  return answer !== undefined && isCount(answer.value);
}

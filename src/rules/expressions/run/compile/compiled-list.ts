/**
 * A compiled list of rules. A rule has one clause or several, each with its own guard: the rule matches when one of
 * them does, and is then not evaluated again.
 *
 * A list is immutable: its holder replaces it by another in one assignment, and requests that started with the old list
 * finish with it.
 *
 * Running uses scratch space in the list, so a list runs one request at a time, to the end, without awaiting anything;
 * neither a field source nor a list of values may run the same list again.
 *
 * Its work is charged to the enclosing `StepBudget`. A run that ends with `OutOfSteps` leaves the list in a valid
 * state.
 */
import { noteRule, spendSteps } from '#work';
import type { Value } from '../../values.ts';
import { stepsPerClause } from '../charges.ts';
import type { RequestView } from '../request-view.ts';
import { Candidates } from './candidates.ts';
import type { ListIndex } from './rule-index.ts';

export interface ListParts {
  readonly begin: () => void;
  readonly ruleCount: number;
  /** The predicates by clause. */
  readonly predicates: readonly ((request: RequestView) => boolean)[];
  /** Clauses are in the order of their rules. */
  readonly ruleOfClause: Int32Array;
  /** The indexes in the order of `clauseFirst`. */
  readonly indexes: readonly ListIndex[];
  /** Clauses without a guard, in order. */
  readonly unguarded: readonly number[];
}

export class CompiledList {
  readonly #parts: ListParts;
  readonly #candidates: Candidates;
  /** The number of the first rule in the notes of the watchdog. */
  workFirst = 0;
  #ruleReached = 0;

  constructor(parts: ListParts) {
    this.#parts = parts;
    this.#candidates = new Candidates(parts.predicates.length);
  }

  get ruleCount(): number {
    return this.#parts.ruleCount;
  }

  /** The rule that the last run evaluated last: the one in which it ran out of steps. */
  get ruleReached(): number {
    return this.#ruleReached;
  }

  /** The positions of all rules that match, in order. */
  matches(request: RequestView): number[] {
    const rules: number[] = [];
    this.run(request, (rule) => {
      rules.push(rule);
      return true;
    });
    return rules;
  }

  /** The position of the first rule that matches, or -1. */
  findFirst(request: RequestView): number {
    let first = -1;
    this.run(request, (rule) => {
      first = rule;
      return false;
    });
    return first;
  }

  /**
   * Calls `onMatch` with the position of each rule that matches, in order, until it returns false. No field is read for
   * a rule that is not reached or that is left out.
   */
  run(request: RequestView, onMatch: (rule: number) => boolean, isLeftOut?: (rule: number) => boolean): void {
    const { begin, predicates, ruleOfClause, indexes, unguarded } = this.#parts;
    const candidates = this.#candidates;
    begin();
    candidates.clear();
    let indexesUsed = 0;
    let unguardedUsed = 0;
    let ruleMatched = -1;
    for (;;) {
      let guarded = candidates.next();
      const next = unguardedUsed < unguarded.length ? unguarded[unguardedUsed]! : Infinity;
      while (indexesUsed < indexes.length && indexes[indexesUsed]!.clauseFirst < Math.min(guarded, next)) {
        const index = indexes[indexesUsed++]!;
        noteRule(this.workFirst + ruleOfClause[index.clauseFirst]!);
        this.#ruleReached = ruleOfClause[index.clauseFirst]!;
        collect(index, request, candidates);
        guarded = candidates.next();
      }
      const clause = Math.min(guarded, next);
      if (clause === Infinity) return;
      if (clause === guarded) candidates.take();
      else unguardedUsed += 1;
      const rule = ruleOfClause[clause]!;
      if (isLeftOut?.(rule) === true) continue;
      noteRule(this.workFirst + rule);
      this.#ruleReached = rule;
      spendSteps(stepsPerClause);
      if (rule === ruleMatched || !predicates[clause]!(request)) continue;
      ruleMatched = rule;
      if (!onMatch(rule)) return;
    }
  }
}

function collect(
  { subject, hasElements, lookUp }: ListIndex,
  request: RequestView,
  candidates: Candidates,
): void {
  const value = subject(request);
  if (value === undefined) return;
  if (hasElements) for (const element of value as readonly Value[]) lookUp(element, candidates.add);
  else lookUp(value, candidates.add);
}

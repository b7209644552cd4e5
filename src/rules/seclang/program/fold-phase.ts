/**
 * Determines which rules of a phase must run once everything that does not depend on the request is evaluated. CRS
 * checks the paranoia level before every group of rules, and sets a hundred variables to their defaults: none of that
 * runs while a request waits.
 */
import { isChosen, type RuleChoice } from '../actions/rule-choice.ts';
import type { LinkTest, Rule, RuleOrMarker } from '../model.ts';
import { applyChain } from '../transformations/chain.ts';
import { dependsOnRequest, KnownVariables, unlessNotKnown } from './known-variables.ts';
import { findJump } from './jumps.ts';
import { settleMacros } from './settle-macros.ts';

interface FoldedPhase {
  /** By step: the rule, if it must run. */
  readonly left: readonly (Rule | undefined)[];
  /** The known variables when the first remaining rule runs. */
  readonly start: KnownVariables;
  /** The known variables at the end of the phase. */
  readonly end: KnownVariables;
}

/** Folds the phases of a rule set, in their order. */
export class PhaseFolder {
  /** Rules that a rule which depends on the request may remove. */
  readonly #removable: RuleChoice[] = [];

  /** In the first phase, assignments before the first remaining rule become initial values. */
  fold(steps: readonly RuleOrMarker[], start: KnownVariables, isFirst: boolean): FoldedPhase {
    const walk = new PhaseWalk(steps, start, { isFirst, removable: this.#removable });
    for (let at = 0; at < steps.length; at++) walk.take(at);
    return walk.finish();
  }
}

class PhaseWalk {
  readonly #steps: readonly RuleOrMarker[];
  readonly #isFirst: boolean;
  readonly #removable: RuleChoice[];
  readonly #left: (Rule | undefined)[];
  /** The variables known at the current step; undefined if no request reaches it. */
  #known: KnownVariables | undefined;
  /** By step: the variables known after a jump to it. */
  readonly #arriving = new Map<number, KnownVariables>();
  /** Jumps that every request makes and that are omitted. */
  readonly #jumps: { readonly from: number; readonly to: number }[] = [];
  #start: KnownVariables | undefined;
  #end: KnownVariables | undefined;

  constructor(
    steps: readonly RuleOrMarker[],
    start: KnownVariables,
    { isFirst, removable }: { readonly isFirst: boolean; readonly removable: RuleChoice[] },
  ) {
    this.#steps = steps;
    this.#known = start.copy();
    this.#isFirst = isFirst;
    this.#removable = removable;
    this.#left = steps.map(() => undefined);
  }

  take(at: number): void {
    this.#known = meet(this.#known, this.#arriving.get(at));
    const step = this.#steps[at]!;
    if (this.#known === undefined || 'marker' in step) return;
    if (neverMatches(step.rule, this.#known)) return;
    const after = this.#mayBeMissed(at, step.rule) ? undefined : this.#runKnown(step.rule, this.#known);
    if (after === undefined) this.#leave(at, step.rule, this.#known);
    else this.#settle(at, step.rule, after);
  }

  finish(): FoldedPhase {
    const end = meet(meet(this.#known, this.#end), this.#arriving.get(this.#steps.length));
    // From the last to the first: a jump that must be kept is itself a rule that others may have to jump over.
    for (const { from, to } of this.#jumps.toReversed()) this.#keepJump(from, to);
    const certain = end ?? new KnownVariables([]);
    return { left: this.#left, start: this.#start ?? certain, end: certain };
  }

  /** The variables known after a rule that matches every request, and only assigns. */
  #runKnown(rule: Rule, known: KnownVariables): KnownVariables | undefined {
    if (rule.isLogged || rule.disruption.kind !== 'pass') return undefined;
    const after = known.copy();
    const isDone = unlessNotKnown(() => {
      for (const { test, actions } of rule.links) {
        // With several values, actions would run for each that matches.
        const isSingle = test === undefined || test.txTargets?.length === 1 || actions.length === 0;
        if (!isSingle || test?.captures === true) return false;
        if (test !== undefined && !matchKnown(test, after)) return false;
        for (const action of actions) action.perform(after);
      }
      return true;
    });
    return isDone === true ? after : undefined;
  }

  /**
   * Whether a request may remove the rule, and the result differs then. If a jump is removed together with all rules
   * that it jumps over, as by `ctl:ruleRemoveByTag=OWASP_CRS`, the result is the same.
   */
  #mayBeMissed(at: number, rule: Rule): boolean {
    const choices = this.#removable.filter((choice) => isChosen(choice, rule));
    if (choices.length === 0) return false;
    if (rule.links.some(({ actions }) => actions.length > 0)) return true;
    const to = findJump(this.#steps, at);
    if (to === undefined) return false;
    return this.#steps
      .slice(at + 1, to)
      .some((step) => 'rule' in step && !choices.every((choice) => isChosen(choice, step.rule)));
  }

  #settle(at: number, rule: Rule, after: KnownVariables): void {
    const assigns = rule.links.some(({ actions }) => actions.length > 0);
    if (assigns && !(this.#isFirst && this.#start === undefined)) this.#keep(at, rule);
    this.#known = after;
    const to = findJump(this.#steps, at);
    if (to === undefined) return;
    this.#arrive(to, after);
    this.#known = undefined;
    if (this.#left[at] === undefined) this.#jumps.push({ from: at, to });
  }

  /** A rule whose result depends on the request. */
  #leave(at: number, rule: Rule, known: KnownVariables): void {
    const after = known.copy();
    after.forgetWritten(rule);
    this.#keep(at, settleMacros(rule, after));
    this.#known = after;
    for (const { actions } of rule.links)
      for (const { removes } of actions) if (removes !== undefined) this.#removable.push(...removes);
    const to = findJump(this.#steps, at);
    if (to !== undefined) this.#arrive(to, after);
    if (mayEndPhase(rule)) this.#end = meet(after, this.#end);
  }

  #keep(at: number, rule: Rule): void {
    this.#start ??= this.#known!.copy();
    this.#left[at] = rule;
  }

  #arrive(at: number, known: KnownVariables): void {
    this.#arriving.set(at, meet(known, this.#arriving.get(at))!);
  }

  /** A jump over rules that other requests reach must be kept. */
  #keepJump(from: number, to: number): void {
    const step = this.#steps[from]!;
    if ('rule' in step && this.#left.slice(from + 1, to).some((rule) => rule !== undefined))
      this.#left[from] = step.rule;
  }
}

function meet(a: KnownVariables | undefined, b: KnownVariables | undefined): KnownVariables | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a.meet(b);
}

/** A rule may stop the request, let it pass, or turn the engine off. Later phases may still run. */
function mayEndPhase({ disruption, links }: Rule): boolean {
  const sets = links.some(({ actions }) => actions.some(({ removes }) => removes !== undefined));
  return disruption.kind !== 'pass' || sets;
}

/** Whether one of its links cannot match, and those before it would have no effect. */
function neverMatches({ links }: Rule, known: KnownVariables): boolean {
  for (const { test, actions } of links) {
    if (test !== undefined && unlessNotKnown(() => matchKnown(test, known)) === false) return true;
    if (actions.length > 0 || test?.captures === true) return false;
  }
  return false;
}

/** The same as `matchTx` does with a request. */
function matchKnown({ txTargets, operator, chain, isNegated }: LinkTest, known: KnownVariables): boolean {
  if (txTargets === undefined) return dependsOnRequest();
  let isMatched = false;
  for (const { key, isCount } of txTargets) {
    const stored = known.read(key);
    const value = isCount ? (stored === undefined ? '0' : '1') : stored;
    if (value === undefined) continue;
    if (operator.test(applyChain(chain, value), known) !== isNegated) isMatched = true;
  }
  return isMatched;
}

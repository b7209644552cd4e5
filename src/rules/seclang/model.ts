/** A loaded rule set: rules in the order of the files, per phase, with everything looked up. */
import type { ValueAction } from './actions/action.ts';
import type { Operator } from './operators/operator.ts';
import type { Phase } from './phase.ts';
import type { SourcePlace } from './problem.ts';
import type { VariableTarget, Targets } from './read/targets.ts';
import type { Template } from './template.ts';
import type { Chain } from './transformations/chain.ts';

/** The action on the request when the rule matches. `block` was replaced by the phase's default. */
export type Disruption =
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny' | 'drop'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'allow'; readonly scope: 'all' | 'phase' | 'request' };

/** A link of a chain: the first one has an id and decides, all of them must match. */
export interface RuleLink {
  readonly place: SourcePlace;
  /** `undefined` for SecAction, which always matches. */
  readonly test: LinkTest | undefined;
  /** Run for each value that matches, whether or not the rest of the chain matches. */
  readonly actions: readonly ValueAction[];
}

/** A target without its exclusions. Identically written ones share one source across rules. */
export interface TargetSource {
  /** The index of the source in its rule set. */
  readonly number: number;
  readonly target: VariableTarget;
  /** The number of the variable (`variables.ts`). */
  readonly variableNumber: number;
  readonly excluded: readonly VariableTarget[];
  /** Whether its values change while rules run, so that they are listed each time. */
  readonly isVolatile: boolean;
  /** Whether a phase may see other values than the previous one. */
  readonly isChanging: boolean;
}

/** One value of TX, or whether it exists. */
export interface TxTarget {
  readonly key: string;
  readonly isCount: boolean;
}

/** An argument with macros. If it is the same for all requests, a program has the operator for that text instead. */
export interface OperatorMacros {
  readonly argument: Template;
  /**
   * The number of the test once its argument is constant; -1 if its result depends on more than the value even then.
   */
  readonly number: number;
  prepare(argument: string): Operator;
}

export interface LinkTest {
  readonly targets: Targets;
  /** One per target. */
  readonly sources: readonly TargetSource[];
  /** Set if only single values of TX are read: most rules of CRS only check the paranoia level. */
  readonly txTargets: readonly TxTarget[] | undefined;
  readonly operator: Operator;
  /** How to recreate the operator if its argument has macros. */
  readonly macros: OperatorMacros | undefined;
  /** Numbers the tests whose result depends only on the value, so that it can be cached with it; -1 for the others. */
  readonly number: number;
  /** The expanded argument, if it is constant. */
  readonly settledArgument?: string;
  /** As written, for display. */
  readonly operatorText: string;
  readonly isNegated: boolean;
  readonly chain: Chain;
  readonly isMultiMatch: boolean;
  readonly captures: boolean;
}

export interface Rule {
  readonly id: number;
  readonly phase: Phase;
  readonly links: readonly RuleLink[];
  readonly disruption: Disruption;
  readonly isLogged: boolean;
  /** May contain macros. */
  readonly message: string;
  readonly logData: string;
  readonly severity: string;
  readonly tags: readonly string[];
  readonly version: string;
  readonly skipAfter: string | undefined;
  readonly skip: number;
}

/** A step of a phase: a rule, or the name that `skipAfter` looks for. */
export type RuleOrMarker = { readonly rule: Rule } | { readonly marker: string };

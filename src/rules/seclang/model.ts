/** What a rule set is once it is read: rules in the order of the files, per phase, with everything looked up. */
import type { Action } from './actions/action.ts';
import type { Operator } from './operators/operator.ts';
import type { Phase } from './phase.ts';
import type { SourcePlace } from './problem.ts';
import type { Target, Targets } from './read/targets.ts';
import type { Template } from './template.ts';
import type { Chain } from './transformations/chain.ts';

/** What is done to the request when the rule matches. `block` has become what the phase's default says. */
export type Disruption =
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny' | 'drop'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'allow'; readonly scope: 'all' | 'phase' | 'request' };

/** What stands in a chain: the first one has an id and decides, all of them have to match. */
export interface Link {
  readonly place: SourcePlace;
  /** `undefined` for SecAction, which matches always. */
  readonly test: LinkTest | undefined;
  /** Done for each value that matches, whether the rest of the chain matches or not. */
  readonly actions: readonly Action[];
}

/** A target without what is excluded from it. Those that are written alike are one source, whatever rule has them. */
export interface Source {
  /** Counts the sources of a rule set. */
  readonly number: number;
  readonly target: Target;
  /** Of the variable (`variables.ts`). */
  readonly variableNumber: number;
  readonly excluded: readonly Target[];
  /** Whether its values change while rules run, so that they are listed each time. */
  readonly isVolatile: boolean;
  /** Whether a phase may see other values than the one before it. */
  readonly isChanging: boolean;
}

/** One value of TX, or whether there is one. */
export interface TxTarget {
  readonly key: string;
  readonly isCount: boolean;
}

/** An argument with macros. Where it is the same for all requests, a program has the operator for that text instead. */
export interface OperatorMacros {
  readonly argument: Template;
  /** The number of the test once its argument is certain; -1 if its answer depends on more than the value even then. */
  readonly number: number;
  prepare(argument: string): Operator;
}

export interface LinkTest {
  readonly targets: Targets;
  /** One for each of the targets. */
  readonly sources: readonly Source[];
  /** If single values of TX are all that is looked at: most rules of CRS only ask for the paranoia level. */
  readonly txTargets: readonly TxTarget[] | undefined;
  readonly operator: Operator;
  /** How the operator is made again, if its argument has macros. */
  readonly macros: OperatorMacros | undefined;
  /**
   * Counts the tests whose answer depends on nothing but the value, so that it can be remembered with it; -1 for the
   * others.
   */
  readonly number: number;
  /** What its macros stand for, if that is certain. */
  readonly settledArgument?: string;
  /** As written, for people. */
  readonly operatorText: string;
  readonly isNegated: boolean;
  readonly chain: Chain;
  readonly isMultiMatch: boolean;
  readonly captures: boolean;
}

export interface Rule {
  readonly id: number;
  readonly phase: Phase;
  readonly links: readonly Link[];
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

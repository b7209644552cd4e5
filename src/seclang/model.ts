/** What a rule set is once it is read: rules in the order of the files, per phase, with everything looked up. */
import type { Action } from './actions/action.ts';
import type { Operator } from './operators/operator.ts';
import type { Phase } from './phase.ts';
import type { Place } from './problem.ts';
import type { Targets } from './read/targets.ts';
import type { Chain } from './transformations/chain.ts';

/** What is done to the request when the rule matches. `block` has become what the phase's default says. */
export type Disruption =
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny' | 'drop'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'allow'; readonly scope: 'all' | 'phase' | 'request' };

/** What stands in a chain: the first one has an id and decides, all of them have to match. */
export interface Link {
  readonly place: Place;
  /** `undefined` for SecAction, which matches always. */
  readonly test: LinkTest | undefined;
  /** Done for each value that matches, whether the rest of the chain matches or not. */
  readonly actions: readonly Action[];
}

export interface LinkTest {
  readonly targets: Targets;
  /** Rules with the same targets have the same number; -1 if a variable among them changes while rules run. */
  readonly group: number;
  /** The included targets, each by its number. */
  readonly sources: readonly number[];
  /** The key, if one value of TX is all that is looked at: most rules of CRS only ask for the paranoia level. */
  readonly txKey: string | undefined;
  readonly operator: Operator;
  /** The operator's filter among those of the rule set, or -1. */
  readonly filter: number;
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
export type Step = { readonly rule: Rule } | { readonly marker: string };

/** What rules that change requests and answers did to one request. Plain data, but for the filters. */
import type { Filter, RequestView } from '#expressions';
import { type ChangingPhase, changingPhases } from '../../phases.ts';

/** What explanations call the kind of a rule that changed something. */
export type ChangeSource = (typeof changingPhases)[ChangingPhase] | 'pagerule';

export interface ChangedBy {
  readonly source: ChangeSource;
  /** Empty for page rules. */
  readonly phase: string;
  readonly ruleId: string;
  /** Empty for page rules. */
  readonly rulesetId: string;
  readonly ref: string;
  readonly description: string;
  readonly filter?: Filter;
}

export interface Change extends ChangedBy {
  readonly effect: Effect;
}

interface Redirect {
  readonly kind: 'redirect';
  readonly status: number;
  /** Escaped: it can stand in a field. */
  readonly location: string;
}

export type Effect =
  | Redirect
  /** The rule matched, and what it wanted could not be done. */
  | { readonly kind: 'nothing'; readonly reason: string };

/** What a rule does to a request that it matches. */
export type Act = (view: RequestView) => Effect;

/** For people. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'redirect':
      return `redirects to ${effect.location} with status ${effect.status}`;
    case 'nothing':
      return `does nothing: ${effect.reason}`;
  }
}

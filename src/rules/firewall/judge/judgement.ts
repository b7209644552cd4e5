/** What comes out of judging a request. */
import type { Filter, RewrittenUri } from '#expressions';
import type { ChallengeKind } from '../actions.ts';
import type { BlockResponse } from '../model.ts';
import type { Answer, Change, ChangedBy, ChangeSource, GivenAnswer, Question } from './changes/change.ts';
import type { CountedLimit } from './rates/rate-counter.ts';
import type { FoundValue, OriginResponse } from './managed-catalogue.ts';

/** The product that a rule belongs to, as the activity log names it. */
export const sources = [
  'firewallrules',
  'firewallCustom',
  'ratelimit',
  'firewallManaged',
  'waf',
  'bic',
  'securitylevel',
  'hot',
  'ip',
  'iprange',
  'asn',
  'country',
  'zonelockdown',
  'uablock',
  // Ours: what an object of the user, or a server, said.
  'ask',
] as const;
export type Source = (typeof sources)[number];

/** As the activity log names it. */
export const triggeredActions = [
  'log',
  'block',
  'challenge',
  'jschallenge',
  'managed_challenge',
  'challengebypassed',
  'jschallengebypassed',
  'managedchallengebypassed',
  'challengesolved',
  'jschallengesolved',
  'managedchallengenoninteractivesolved',
  'challengefailed',
  'jschallengefailed',
  'managedchallengefailed',
  'allow',
  'bypass',
  'skip',
] as const;
export type TriggeredAction = (typeof triggeredActions)[number];

/** The rule in which the budget of a request ran out. */
export interface ExhaustedRule {
  /** Which of its limits was reached; steps unless it says otherwise. */
  readonly limit?: 'steps' | 'time';
  /** How many steps there were, if a body had added to them. */
  readonly stepsMax?: number;
  /** How much CPU time there was, if that was the limit. */
  readonly cpuMsMax?: number;
  readonly source: Source;
  /** Empty if it was in no rule. */
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly description: string;
}

/** A rule that matched and did something. */
export interface Triggered {
  readonly source: Source;
  readonly action: TriggeredAction;
  readonly ruleId: string;
  /** The ruleset or package; empty for firewall rules, which have none. */
  readonly rulesetId: string;
  readonly ref: string;
  readonly description: string;
  /** Absent where a score decided. */
  readonly filter?: Filter;
  readonly score?: Score;
  /** Where a detector was in doubt: what supports it, from rules of another ruleset. */
  readonly evidence?: Score;
  /** Of a rule that limits rates. */
  readonly rate?: TriggeredRate;
  /** Of a rule that asks others: what, and what they said. */
  readonly asked?: { readonly question: Question; readonly answer: Answer };
  /** Where judging was given up: then `ruleId` is no rule's. */
  readonly exhausted?: ExhaustedRule;
  /** The rule matched the request for the page that this one names in its Referer. */
  readonly isOfPage?: true;
}

/** A key that was over its limit. */
export interface TriggeredRate extends CountedLimit {
  readonly count: number;
  readonly retryAfterSeconds: number;
}

export interface Score {
  readonly total: number;
  readonly threshold: number;
  readonly contributions: readonly Contribution[];
}

export interface Contribution {
  readonly ruleId: string;
  readonly description: string;
  readonly score: number;
  /** Of a rule in the rules language. */
  readonly filter?: Filter;
  /** Of a rule in another language: what it matched on. */
  readonly values?: readonly FoundValue[];
}

export type Verdict =
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'block';
      readonly by: Triggered;
      readonly response?: BlockResponse;
      /** In place of the page, if somebody who was asked said it. */
      readonly answer?: GivenAnswer;
    }
  | { readonly kind: 'challenge'; readonly by: Triggered; readonly challenge: ChallengeKind }
  /** No event: nobody was stopped. */
  | { readonly kind: 'answer'; readonly by: ChangedBy; readonly answer: GivenAnswer }
  | { readonly kind: 'redirect'; readonly by: ChangedBy; readonly status: number; readonly location: string };

export interface Judgement {
  readonly verdict: Verdict;
  /** In the order in which they did; the one that decided is the last. */
  readonly triggered: readonly Triggered[];
  readonly steps: readonly StepReport[];
  /** What rules that change requests did; absent if none did anything. */
  readonly changes?: readonly Change[];
  /** The path and query as rules saw them before they were rewritten; absent if they were not. */
  readonly received?: RewrittenUri;
  /** Later phases that rules skipped, with the id of the rule; absent if there are none. */
  readonly skippedPhases?: Readonly<Record<string, string>>;
  /** Whether managed rules in force, the legacy ones or those that replace them, looked for attacks in the body. */
  readonly isBodyGuarded: boolean;
  /** The challenge of this zone that the client had solved not long before. */
  readonly clearance: ChallengeKind | undefined;
  /** Where the steps ran out: then no later rule was looked at. */
  readonly exhausted?: ExhaustedRule;
  /** Rules that wait for the response; absent where the zone wants none. */
  readonly responseRules?: readonly ResponseRules[];
}

/** Rules about the response to a request that passes: they judge it once. */
export type ResponseRules = (response: OriginResponse) => ResponseVerdict;

interface ResponseVerdict {
  /** Absent if the score stays below the threshold. Its action is `log` or `block`. */
  readonly triggered?: Triggered;
  readonly exhausted?: ExhaustedRule;
}

/** What one list of rules did. */
export interface StepReport {
  readonly source: Source | ChangeSource;
  readonly phase: string;
  readonly rulesetId: string;
  readonly version: string;
  readonly level: 'account' | 'zone';
  /** How many rules the request got to, of how many. */
  readonly reached: number;
  readonly ruleCount: number;
  /** Ids of the rules that matched, also of those that did nothing. */
  readonly matched: readonly string[];
  readonly end: StepEnd;
}

export type StepEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'decided'; readonly by: string }
  | { readonly kind: 'skipped'; readonly by: string }
  | { readonly kind: 'out of steps'; readonly by: string };

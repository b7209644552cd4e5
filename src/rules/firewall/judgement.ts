/** The result of judging a request. */
import type { Filter, RewrittenUri } from '#expressions';
import type { ChallengeKind, BlockResponse } from '#rulesets';
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
  // Ours: the decision of an object of the user, or a server.
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
  /** The limit that was reached; steps by default. */
  readonly limit?: 'steps' | 'time';
  /** The step limit, if a body had raised it. */
  readonly stepsMax?: number;
  /** The CPU time limit, if that was reached. */
  readonly cpuMsMax?: number;
  readonly source: Source;
  /** Empty if it happened outside of a rule. */
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly description: string;
}

/** A rule that matched and acted. */
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
  /** For an uncertain detector: what supports it, from rules of another ruleset. */
  readonly evidence?: Score;
  /** For a rule that limits rates. */
  readonly rate?: TriggeredRate;
  /** For a rule that asks objects or servers: the question and the answer. */
  readonly asked?: { readonly question: Question; readonly answer: Answer };
  /** Set if judging was given up: then `ruleId` is not that of a rule. */
  readonly exhausted?: ExhaustedRule;
  /** The rule matched the request for the page in this request's Referer. */
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
  /** For a rule in the rules language. */
  readonly filter?: Filter;
  /** For a rule in another language: the values that it matched on. */
  readonly values?: readonly FoundValue[];
}

export type Verdict =
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'block';
      readonly by: Triggered;
      readonly response?: BlockResponse;
      /** The response in place of the page, if an answer to a question contained it. */
      readonly answer?: GivenAnswer;
    }
  | { readonly kind: 'challenge'; readonly by: Triggered; readonly challenge: ChallengeKind }
  /** Not an event: the request was not stopped. */
  | { readonly kind: 'answer'; readonly by: ChangedBy; readonly answer: GivenAnswer }
  | { readonly kind: 'redirect'; readonly by: ChangedBy; readonly status: number; readonly location: string };

export interface Judgement {
  readonly verdict: Verdict;
  /** In the order in which they acted; the one that decided is the last. */
  readonly triggered: readonly Triggered[];
  readonly steps: readonly StepReport[];
  /** The effects of rules that change requests; absent if there are none. */
  readonly changes?: readonly Change[];
  /** The path and query before rules rewrote them; absent if they did not. */
  readonly received?: RewrittenUri;
  /** Later phases that rules skipped, with the id of the rule; absent if there are none. */
  readonly skippedPhases?: Readonly<Record<string, string>>;
  /** Whether managed rules in force, legacy or new, searched the body for attacks. */
  readonly isBodyGuarded: boolean;
  /** The challenge of this zone that the client has solved recently. */
  readonly clearance: ChallengeKind | undefined;
  /** Where the steps ran out: later rules were not evaluated. */
  readonly exhausted?: ExhaustedRule;
  /** Rules that wait for the response; absent if the zone has none. */
  readonly responseRules?: readonly ResponseRules[];
}

/** Rules about the response to a request that passes: they judge it once. */
export type ResponseRules = (response: OriginResponse) => ResponseVerdict;

interface ResponseVerdict {
  /** Absent if the score stays below the threshold. Its action is `log` or `block`. */
  readonly triggered?: Triggered;
  readonly exhausted?: ExhaustedRule;
}

/** The result of one list of rules. */
export interface StepReport {
  readonly source: Source | ChangeSource;
  readonly phase: string;
  readonly rulesetId: string;
  readonly version: string;
  readonly level: 'account' | 'zone';
  /** How many of its rules the request reached. */
  readonly reached: number;
  readonly ruleCount: number;
  /** Ids of the rules that matched, including those without an effect. */
  readonly matched: readonly string[];
  readonly end: StepEnd;
}

type StepEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'decided'; readonly by: string }
  | { readonly kind: 'skipped'; readonly by: string }
  | { readonly kind: 'out of steps'; readonly by: string };

/** What a managed ruleset says of itself and of its rules. Nothing here changes while the program runs. */
import type { Plan } from '#expressions';
import type { VerdictAction } from '#firewall';

export interface ManagedRuleset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly phase: 'http_request_firewall_managed' | 'http_response_firewall_managed';
  readonly version: string;
  /** RFC 3339 with microseconds. */
  readonly lastUpdated: string;
  /** Whose zones may execute it. */
  readonly plans: readonly Plan[];
  /** In the order in which they are judged. */
  readonly rules: readonly ManagedRule[];
}

export interface ManagedRule {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** Unless an override says otherwise; `score` adds to the score of the request and goes on. */
  readonly action: VerdictAction | 'score';
  readonly enabled: boolean;
  readonly expression: string;
  /** Of a rule with the action `score`. */
  readonly scoreIncrement?: number;
  /** The rule acts if its expression is true and the score of the request is at least this. */
  readonly scoreThreshold?: number;
  /** The same rule in the previous product. */
  readonly legacyId?: string;
  /** Names what the rule looks for: rules with the same signature share it across rulesets. */
  readonly ref: string;
}

/** All content comes with the program, so all of it has the age of the last change to any of it. */
export const contentVersion = '1';
export const contentUpdated = '2026-11-15T00:00:00.000000Z';

export const paidPlans: readonly Plan[] = ['pro', 'business', 'enterprise'];

/** A managed ruleset and its rules. Only the OWASP ruleset is ever replaced by another one while the program runs. */
import type { ScoringEngine } from '#firewall';
import type { VerdictAction, Plan } from '#rulesets';

export interface ManagedRuleset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly phase: 'http_request_firewall_managed' | 'http_response_firewall_managed';
  readonly version: string;
  /** RFC 3339 with microseconds. */
  readonly lastUpdated: string;
  /** The plans whose zones may execute it. */
  readonly plans: readonly Plan[];
  /** In evaluation order. */
  readonly rules: readonly ManagedRule[];
  /** Only for a ruleset whose content is not shipped with the program. */
  readonly content?: InstalledContent;
  /** Judges the rules that have no expression. */
  readonly engine?: ScoringEngine;
  /** The rule in events when the score of a response decides. */
  readonly responseRule?: { readonly id: string; readonly description: string };
}

export type InstalledContent =
  | { readonly state: 'installed'; readonly version: string }
  | { readonly state: 'not installed' };

export interface ManagedRule {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** The default action, unless an override changes it; `score` adds to the score of the request and continues. */
  readonly action: VerdictAction | 'score';
  readonly enabled: boolean;
  /** Absent if the engine of the ruleset judges the rule. */
  readonly expression?: string;
  /** Set for a rule with the action `score`. */
  readonly scoreIncrement?: number;
  /** The rule acts if its expression is true and the score of the request is at least this. */
  readonly scoreThreshold?: number;
  /** The id of the same rule in the legacy WAF. */
  readonly legacyId?: string;
  /**
   * For a rule about likely attacks: the corresponding rule for sure attacks, and the evidence that makes one sure:
   * scores of sound rules with one of these categories, in requests that match the expression.
   */
  readonly sure?: {
    readonly ruleId: string;
    readonly tags: readonly string[];
    readonly scoreMin: number;
    readonly expression: string;
  };
  /** Identifies what the rule detects: rules of different rulesets with the same signature share it. */
  readonly ref: string;
}

/** All content is shipped with the program, so every ruleset has the time of the last change to any of them. */
export const contentVersion = '1';
export const contentUpdated = '2026-11-15T00:00:00.000000Z';

export const paidPlans: readonly Plan[] = ['pro', 'business', 'enterprise'];

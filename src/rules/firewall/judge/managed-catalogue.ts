/**
 * What judging needs to know of managed rules. The room `managed` has them; they are passed in, so that this room
 * stays below it.
 */
import type { RequestView } from '#expressions';
import type { LegacyMode } from './configuration.ts';

export interface ManagedCatalogue {
  readonly rulesets: ReadonlyMap<string, CatalogueRuleset>;
  readonly legacyPackages: readonly CataloguePackage[];
}

export interface CatalogueRuleset {
  readonly id: string;
  readonly version: string;
  readonly rules: readonly CatalogueRule[];
  /** Judges the rules that score, if they are not written in the rules language. */
  readonly engine?: ScoringEngine;
  /** What events name when the score of a response decides. */
  readonly responseRule?: { readonly id: string; readonly description: string };
}

/** Judges requests by rules in another language than that of expressions. They add to a score and do nothing else. */
export interface ScoringEngine {
  /** What a deployment runs: rules by their ids in the catalogue. What is shared by all deployments is compiled once. */
  select(enabled: ReadonlySet<string>): ScoringProgram;
}

export interface ScoringProgram {
  readonly readsBody: boolean;
  /** In the order in which the rules are judged. If a response is awaited, the result can judge that, too. */
  judge(view: RequestView, options?: ScoringOptions): ScoringResult;
}

export interface ScoringOptions {
  readonly isResponseAwaited: boolean;
}

export interface ScoringResult {
  readonly findings: readonly Finding[];
  /** The rule in which the steps of the request ran out; empty if it is in none. */
  readonly exhaustedIn?: string;
  /** May be called once. What was computed for the request is held for it. */
  readonly judgeResponse?: (response: OriginResponse) => ResponseResult;
}

/** Binary strings, as the origin sent them, but unpacked. The body may be only the beginning, or left out. */
export interface OriginResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface ResponseResult extends Pick<ScoringResult, 'findings' | 'exhaustedIn'> {
  /** The score at which the rules themselves would refuse the response. */
  readonly threshold: number;
}

/** A rule that matched, and the values that it matched on. */
export interface Finding {
  readonly ruleId: string;
  readonly values: readonly FoundValue[];
}

export interface FoundValue {
  /** As the language of the rule names it: `ARGS:comment`. */
  readonly name: string;
  /** As the rule saw it, a binary string. */
  readonly value: string;
}

export interface CatalogueRule {
  readonly id: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly action: string;
  readonly enabled: boolean;
  /** Absent if the engine of the ruleset judges the rule. */
  readonly expression?: string;
  readonly ref: string;
  /** Adds to the score instead of acting. */
  readonly scoreIncrement?: number;
  /** Acts when the score of the rules before it has come so far. */
  readonly scoreThreshold?: number;
  /**
   * Of a rule for what is likely: the one for the same where it is sure, and what makes it so: scores of sound rules with
   * one of these categories, in requests of the expression.
   */
  readonly sure?: {
    readonly ruleId: string;
    readonly tags: readonly string[];
    readonly scoreMin: number;
    readonly expression: string;
  };
}

export interface CataloguePackage {
  readonly id: string;
  readonly detectionMode: 'traditional' | 'anomaly';
  readonly groups: readonly { readonly id: string; readonly defaultMode: 'on' | 'off' }[];
  readonly rules: readonly CataloguePackageRule[];
  /** Judges all rules of an anomaly package, if they are not written in the rules language. */
  readonly engine?: ScoringEngine;
}

export interface CataloguePackageRule {
  readonly id: string;
  readonly description: string;
  readonly groupId: string;
  readonly kind: 'anomaly' | 'deny' | 'allow';
  readonly defaultMode: LegacyMode;
  /** Absent if the engine of the package judges the rule. */
  readonly expression?: string;
  readonly score?: number;
  /** Is in force even where the zone's switch is off. */
  readonly ignoresSwitch: boolean;
}

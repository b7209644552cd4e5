/**
 * The properties of managed rules that judging uses. The room `managed` defines the rules; they are passed in, so that
 * this room stays below it.
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
  /** Judges the scoring rules, if they are not written in the rules language. */
  readonly engine?: ScoringEngine;
  /** The rule in events when the score of a response decides. */
  readonly responseRule?: { readonly id: string; readonly description: string };
}

/** Judges requests by rules in a language other than that of expressions. They only add to a score. */
export interface ScoringEngine {
  /**
   * The program of a deployment, from the ids of its rules in the catalogue. Parts that all deployments share are
   * compiled once.
   */
  select(enabled: ReadonlySet<string>): ScoringProgram;
}

export interface ScoringProgram {
  readonly readsBody: boolean;
  /** In the order in which the rules are judged. If a response is awaited, the result can judge that as well. */
  judge(view: RequestView, options?: ScoringOptions): ScoringResult;
}

export interface ScoringOptions {
  readonly isResponseAwaited: boolean;
}

export interface ScoringResult {
  readonly findings: readonly Finding[];
  /** The rule in which the steps of the request ran out; empty if it happened outside of a rule. */
  readonly exhaustedIn?: string;
  /** May be called once. Until then, computed values of the request are retained. */
  readonly judgeResponse?: (response: OriginResponse) => ResponseResult;
}

/** Binary strings, as the origin sent them, but decompressed. The body may be incomplete or absent. */
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
  /** In the notation of the rule's language: `ARGS:comment`. */
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
  /** Acts when the score of the preceding rules has reached this value. */
  readonly scoreThreshold?: number;
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
  /** In force even where the zone's switch is off. */
  readonly ignoresSwitch: boolean;
}

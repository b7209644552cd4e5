/** The packages of the legacy WAF, their groups and their rules. */
import type { legacyDenyModes, ScoringEngine } from '#firewall';

export interface LegacyPackage {
  readonly id: string;
  readonly name: 'CloudFlare' | 'OWASP' | 'USER';
  readonly description: string;
  /** `anomaly` adds scores and acts on the sum; `traditional` acts rule by rule. */
  readonly detectionMode: 'traditional' | 'anomaly';
  readonly groups: readonly LegacyGroup[];
  readonly rules: readonly LegacyRule[];
  /** Judges the rules that have no expression. */
  readonly engine?: ScoringEngine;
}

export interface LegacyGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly packageId: string;
  readonly defaultMode: 'on' | 'off';
  readonly ruleIds: readonly string[];
}

interface RuleOfAnyKind {
  /** Short, such as `100015`. */
  readonly id: string;
  readonly description: string;
  /** A number as text: the rules of a package are judged in this order. */
  readonly priority: string;
  readonly packageId: string;
  readonly groupId: string;
  /** Absent if the engine of the package judges the rule. */
  readonly expression?: string;
  /** Enforced even while the zone's setting `waf` is off. */
  readonly ignoresSwitch: boolean;
}

export type LegacyRule = RuleOfAnyKind &
  (
    | { readonly kind: 'deny'; readonly defaultMode: (typeof legacyDenyModes)[number] }
    | { readonly kind: 'allow'; readonly defaultMode: 'on' | 'off' }
    | { readonly kind: 'anomaly'; readonly defaultMode: 'on' | 'off'; readonly score: number }
  );

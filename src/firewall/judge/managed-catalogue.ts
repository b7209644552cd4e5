/**
 * What judging needs to know of managed rules. The room `managed` has them; they are passed in, so that this room
 * stays below it.
 */
import type { LegacyMode } from './configuration.ts';

export interface ManagedCatalogue {
  readonly rulesets: ReadonlyMap<string, CatalogueRuleset>;
  readonly legacyPackages: readonly CataloguePackage[];
}

export interface CatalogueRuleset {
  readonly id: string;
  readonly version: string;
  readonly rules: readonly CatalogueRule[];
}

export interface CatalogueRule {
  readonly id: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly action: string;
  readonly enabled: boolean;
  readonly expression: string;
  readonly ref: string;
  /** Adds to the score instead of acting. */
  readonly scoreIncrement?: number;
  /** Acts when the score of the rules before it has come so far. */
  readonly scoreThreshold?: number;
}

export interface CataloguePackage {
  readonly id: string;
  readonly detectionMode: 'traditional' | 'anomaly';
  readonly groups: readonly { readonly id: string; readonly defaultMode: 'on' | 'off' }[];
  readonly rules: readonly CataloguePackageRule[];
}

export interface CataloguePackageRule {
  readonly id: string;
  readonly description: string;
  readonly groupId: string;
  readonly kind: 'anomaly' | 'deny' | 'allow';
  readonly defaultMode: LegacyMode;
  readonly expression: string;
  readonly score?: number;
  /** Is in force even where the zone's switch is off. */
  readonly ignoresSwitch: boolean;
}

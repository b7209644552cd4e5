/** The result of a rehearsal, as the document that `--json` writes. */
import type { ReplayCounts } from '../replay.ts';
import type { ChangeKind, Outcome, OutcomeRule } from '../outcome.ts';
import type { ErrorEntry } from '#client';
import type { ScoreLevels } from '../score-levels.ts';
import type { ConfigRule } from '../snapshot.ts';

export interface ShownRequest {
  /** The number of the request in the replayed traffic, from 1. */
  readonly number: number;
  readonly time: string;
  readonly ip: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly userAgent: string;
}

export interface ComparedChange {
  readonly kind: ChangeKind;
  readonly request: ShownRequest;
  readonly before: Outcome;
  readonly after: Outcome;
}

export interface RuleChanges {
  readonly kind: ChangeKind;
  readonly rule: OutcomeRule;
  readonly count: number;
  readonly paths: number;
  readonly examples: readonly ComparedChange[];
}

export type ChangeCounts = Readonly<Record<ChangeKind, number>>;

export interface PathChanges extends ChangeCounts {
  readonly path: string;
}

export interface TimeSlice {
  readonly start: string;
  readonly requests: number;
  readonly changed: number;
}

/** A rule to insert before the execute rules, or overrides of rules for the execute rule of a ruleset. */
export type Edit =
  | {
      readonly kind: 'override';
      readonly rulesetId: string;
      readonly overrides: readonly { readonly id: string }[];
    }
  | { readonly kind: 'exception'; readonly rule: ConfigRule };

/** An edit of the configuration, and the result of its replay. */
export interface ProvenSuggestion {
  readonly title: string;
  readonly kind: ChangeKind;
  readonly rule: OutcomeRule;
  readonly edit: Edit;
  /** Changed requests that are treated as before with all suggestions. */
  readonly restored: number;
}

export interface RehearsalReport {
  readonly format: 'gatehouse.rehearsal';
  readonly version: 1;
  readonly zone: { readonly id: string; readonly name: string; readonly plan: string };
  readonly madeAt: string;
  readonly traffic: {
    readonly file: string;
    readonly format: string;
    readonly from: string;
    readonly to: string;
  } & Readonly<ReplayCounts>;
  readonly check: { readonly compatible: boolean; readonly messages: readonly ErrorEntry[] };
  readonly losses: readonly ErrorEntry[];
  /** Remarks about the rehearsal itself: its limitations. */
  readonly remarks: readonly string[];
  /** Requests by outcome. */
  readonly verdicts: {
    readonly before: Readonly<Record<string, number>>;
    readonly after: Readonly<Record<string, number>>;
  };
  /** What each level and threshold of the OWASP rules stops; null if the zone will not execute them. */
  readonly scores: ScoreLevels | null;
  readonly changed: ChangeCounts & { readonly total: number };
  readonly byRule: readonly RuleChanges[];
  readonly byPath: readonly PathChanges[];
  readonly overTime: readonly TimeSlice[];
  /** At most `listedChangesMax`; `changed` has the exact counts. */
  readonly changes: readonly ComparedChange[];
  readonly suggestions: readonly ProvenSuggestion[];
  /** The remaining changes with all suggestions. */
  readonly changedWithSuggestions: (ChangeCounts & { readonly total: number }) | null;
  /** The body for `gatehouse migrate validate` and `finish`. */
  readonly config: object;
  readonly configWithSuggestions: object | null;
  readonly replay: { readonly cpuSeconds: number; readonly requestsPerCpuSecond: number };
}

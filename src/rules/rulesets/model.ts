/**
 * Rulesets as the API returns them, stores them, versions them and exports them: one document with the API's own field
 * names, in the order in which they are emitted. Documents are immutable; an edit creates the next version.
 */
import { assert } from '#base';
import type { Shaped } from '#shapes';
import type { RuleAction, VerdictAction } from './actions.ts';
import {
  type ActionParameters,
  type blockParameters,
  type credentialCheck,
  type rateLimit,
  ruleContent,
  type skipParameters,
} from './bodies.ts';
import type { askParameters } from './written/ask-parameters.ts';
import type {
  configurationParameters,
  errorParameters,
  redirectParameters,
  rewriteParameters,
  routeParameters,
} from './written/parameters.ts';
import { isEvaluatedPhase, type Level, type RulesetKind } from './phases.ts';

export interface Ruleset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Only in the managed phase. */
  readonly source?: string;
  readonly kind: RulesetKind;
  /** Digits; one more with each modification. */
  readonly version: string;
  readonly rules: readonly RulesetRule[];
  /** RFC 3339 with microseconds. */
  readonly last_updated: string;
  readonly phase: string;
}

export interface RulesetRule {
  readonly id: string;
  /** Digits; one more with each change of the rule, unchanged when it only moves. */
  readonly version: string;
  readonly action: RuleAction;
  readonly expression: string;
  readonly action_parameters?: ActionParameters;
  readonly ratelimit?: RateLimit;
  readonly exposed_credential_check?: ExposedCredentialCheck;
  /** Absent rather than empty. */
  readonly description?: string;
  readonly last_updated: string;
  readonly ref: string;
  readonly enabled: boolean;
  /** Always present in rules that skip, never in others. */
  readonly logging?: Logging;
}

/** The content of a rule, without its identity. */
export type RuleDefinition = Omit<RulesetRule, 'id' | 'version' | 'last_updated' | 'ref'>;

/** The fields that clients set; a change of any of these is a change of the rule. */
export const ruleFields = Object.keys(ruleContent) as readonly (keyof typeof ruleContent)[];

/** A checked rule from a client; `id` and `ref` are absent rather than empty. */
export interface RuleDraft extends RuleDefinition {
  readonly id?: string | undefined;
  readonly ref?: string;
}

export interface RulesetDraft {
  readonly name: string;
  readonly description: string;
  readonly kind: RulesetKind;
  readonly phase: string;
  readonly rules: readonly RuleDraft[];
}

/** Absent fields stay unchanged. */
export interface RulesetChange {
  /** Names an entry point that does not exist yet; existing ones keep their names. */
  readonly name?: string;
  readonly description?: string;
  readonly rules?: readonly RuleDraft[];
}

/** Numbers count from 1; an empty `before` means the first position, an empty `after` the last. */
export type Position = { readonly before: string } | { readonly after: string } | { readonly index: number };

export interface RuleAddition {
  readonly draft: RuleDraft;
  readonly position?: Position;
}

/** Without a draft the rule only moves. */
export interface RuleEdit {
  readonly draft?: RuleDraft;
  readonly position?: Position;
}

/** An object that only the action, or the phase, can interpret. */
export type OpaqueObject = Readonly<Record<string, unknown>>;

export type Logging = { readonly enabled: boolean };

export type RateLimit = Shaped<typeof rateLimit>;

export type ExposedCredentialCheck = Shaped<typeof credentialCheck>;

export type ExecuteParameters = {
  /** The ruleset to run. */
  readonly id: string;
  readonly version: 'latest';
  readonly overrides?: Overrides;
  readonly matched_data?: { readonly public_key: string };
};

export type Overrides = Override & {
  readonly categories?: readonly CategoryOverride[];
  readonly rules?: readonly RuleOverride[];
};

export type Override = { readonly action?: VerdictAction; readonly enabled?: boolean };

export type CategoryOverride = Override & { readonly category: string };

export type RuleOverride = Override & { readonly id: string; readonly score_threshold?: number };

export type SkipParameters = Shaped<typeof skipParameters>;

export type BlockParameters = Shaped<typeof blockParameters>;

export type RedirectParameters = Shaped<typeof redirectParameters>;

export type RewriteParameters = Shaped<typeof rewriteParameters>;

export type RouteParameters = Shaped<typeof routeParameters>;

export type ErrorParameters = Shaped<typeof errorParameters>;

export type ConfigurationParameters = Shaped<typeof configurationParameters>;

export type AskParameters = Shaped<typeof askParameters>;

/** A text, or an expression that computes one. */
export type GivenValue = NonNullable<RedirectParameters['from_value']>['target_url'];

export type BlockResponse = NonNullable<BlockParameters['response']>;

/** A rule of a phase that is evaluated: its parameters were checked against its action. */
export type EvaluatedRule = Omit<RulesetRule, 'action' | 'action_parameters'> &
  (
    | { readonly action: 'execute'; readonly action_parameters: ExecuteParameters }
    | { readonly action: 'skip'; readonly action_parameters: SkipParameters }
    | { readonly action: 'block'; readonly action_parameters?: BlockParameters }
    | { readonly action: Exclude<RuleAction, 'execute' | 'skip' | 'block'> }
  );

export function evaluatedRules({ phase, rules }: Ruleset): readonly EvaluatedRule[] {
  assert(isEvaluatedPhase(phase), `rules of ${phase} are not evaluated`);
  return rules as readonly EvaluatedRule[];
}

/** The place of a ruleset, which decides what its rules may do. */
export interface Home {
  readonly level: Level;
  readonly kind: RulesetKind;
  readonly phase: string;
}

export interface RulesetSummary extends Omit<Ruleset, 'rules'> {
  /** Ours: only for managed rulesets whose rules are installed separately from the program. */
  readonly content?: { readonly installed: boolean; readonly version: string | null };
}

/** The form that lists of rulesets contain. */
export function summaryOf(ruleset: Ruleset): RulesetSummary {
  const { id, name, description, source, kind, version, last_updated, phase } = ruleset;
  const sourceIfAny = source === undefined ? {} : { source };
  return { id, name, description, ...sourceIfAny, kind, version, last_updated, phase };
}

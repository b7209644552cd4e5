/**
 * Rulesets as the API gives them, stores them, versions them and exports them: one document with the API's own field
 * names, in the order in which they are emitted. Documents never change; an edit makes the next one.
 */
import { assert } from '#base';
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
  /** Digits; one more with each change of the rule, none when it only moves. */
  readonly version: string;
  readonly action: RuleAction;
  readonly expression: string;
  readonly action_parameters?: OpaqueObject;
  readonly ratelimit?: OpaqueObject;
  readonly exposed_credential_check?: ExposedCredentialCheck;
  /** Absent rather than empty. */
  readonly description?: string;
  readonly last_updated: string;
  readonly ref: string;
  readonly enabled: boolean;
  /** Always there in rules that skip, never in others. */
  readonly logging?: Logging;
}

/** What a rule says, without who it is. */
export type RuleDefinition = Omit<RulesetRule, 'id' | 'version' | 'last_updated' | 'ref'>;

/** What clients set; a change of any of these is a change of the rule. */
export const ruleFields = [
  'action',
  'expression',
  'action_parameters',
  'ratelimit',
  'exposed_credential_check',
  'description',
  'ref',
  'enabled',
  'logging',
] as const satisfies readonly (keyof RulesetRule)[];

/** A rule as a client asks for it, checked; `id` and `ref` are absent rather than empty. */
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

/** What is absent stays as it is. */
export interface RulesetChange {
  /** Names an entry point that does not exist yet; others keep theirs. */
  readonly name?: string;
  readonly description?: string;
  readonly rules?: readonly RuleDraft[];
}

/** Numbers count from 1; an empty `before` is the first place, an empty `after` the last. */
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

export const ruleActions = [
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'log',
  'skip',
  'execute',
  'score',
  'rewrite',
  'redirect',
  'route',
  'serve_error',
  'set_config',
  'set_cache_settings',
  'set_cache_control',
  'set_cache_tags',
  'compress_response',
  'log_custom_field',
  'ddos_dynamic',
  'force_connection_close',
  'transform_response_html',
] as const;

export type RuleAction = (typeof ruleActions)[number];

/** What a rule can do to a request by itself, and so what an override can make of a managed rule. */
export const verdictActions = ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'] as const;

export type VerdictAction = (typeof verdictActions)[number];

/** What only the action, or the phase, knows the meaning of. */
export type OpaqueObject = Readonly<Record<string, unknown>>;

export type Logging = { readonly enabled: boolean };

export type ExposedCredentialCheck = {
  readonly username_expression: string;
  readonly password_expression: string;
};

export type ExecuteParameters = {
  /** Of the ruleset to run. */
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

export type SkipParameters = {
  readonly ruleset?: 'current';
  readonly phase?: 'current';
  readonly rulesets?: readonly string[];
  /** Rule ids by ruleset id. */
  readonly rules?: Readonly<Record<string, readonly string[]>>;
  readonly phases?: readonly string[];
  readonly products?: readonly string[];
};

export type BlockParameters = { readonly response?: BlockResponse };

export type BlockResponse = {
  readonly status_code: number;
  readonly content: string;
  readonly content_type: BlockContentType;
};

export const blockContentTypes = ['text/html', 'text/plain', 'application/json', 'text/xml'] as const;

type BlockContentType = (typeof blockContentTypes)[number];

/** A rule of a phase that is evaluated: its parameters have been checked to be those of its action. */
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

/** Where a ruleset stands, which decides what its rules may do. */
export interface Home {
  readonly level: Level;
  readonly kind: RulesetKind;
  readonly phase: string;
}

export type RulesetSummary = Omit<Ruleset, 'rules'>;

/** As lists of rulesets show it. */
export function summaryOf(ruleset: Ruleset): RulesetSummary {
  const { id, name, description, source, kind, version, last_updated, phase } = ruleset;
  const sourceIfAny = source === undefined ? {} : { source };
  return { id, name, description, ...sourceIfAny, kind, version, last_updated, phase };
}

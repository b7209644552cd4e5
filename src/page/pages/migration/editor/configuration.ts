/** The rules that a zone moves to, as they are proposed, edited and sent. */
import { managedRulesetId, owaspRulesetId, paranoiaLevels } from '../../../api/managed-rulesets.ts';

export interface RuleOverride {
  readonly id: string;
  readonly action?: string;
  readonly enabled?: boolean;
  readonly score_threshold?: number;
}

interface CategoryOverride {
  readonly category: string;
  readonly action?: string;
  readonly enabled?: boolean;
}

interface Overrides {
  readonly action?: string;
  readonly enabled?: boolean;
  readonly rules?: readonly RuleOverride[];
  readonly categories?: readonly CategoryOverride[];
}

interface RuleParameters {
  /** The managed ruleset that an `execute` rule runs. */
  readonly id?: string;
  readonly overrides?: Overrides;
  /** What a `skip` rule leaves out. */
  readonly ruleset?: string;
}

export interface ConfiguredRule {
  readonly id?: string;
  readonly ref?: string;
  readonly action: string;
  readonly expression: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly action_parameters?: RuleParameters;
}

/** A rule on its way to the server. Text that is no rule yet is kept as it was typed. */
export interface DraftRule {
  readonly key: string;
  readonly rule: ConfiguredRule;
  readonly json?: string;
}

export function toDraft(rules: readonly ConfiguredRule[]): DraftRule[] {
  return rules.map((rule, index) => ({ key: `rule-${index}`, rule }));
}

/** Without what the server writes itself. Ids are kept, so that a changed rule stays the same rule. */
export function toSentRule(rule: ConfiguredRule): Record<string, unknown> {
  const written: Record<string, unknown> = { ...rule };
  for (const name of ['version', 'last_updated']) delete written[name];
  for (const name of ['id', 'ref']) if (written[name] === '') delete written[name];
  return written;
}

/** The rule that the text describes, or why it describes none. */
export function readRule(json: string): ConfiguredRule | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'A rule is a JSON object, such as {"action": "skip", …}.' };
  const { action, expression, enabled = true } = value as Partial<ConfiguredRule>;
  if (typeof action !== 'string' || typeof expression !== 'string' || typeof enabled !== 'boolean')
    return { problem: 'A rule needs "action" and "expression" as texts, and "enabled" as true or false.' };
  return { ...(value as ConfiguredRule), enabled };
}

const origins = [
  ['Rule migrated from Firewall Rules: ', 'Firewall rule'],
  ['Rule migrated from Page Rules: ', 'Page rule'],
] as const;

/** Where a rule of the proposal came from. */
export function describeOrigin({ action, description = '', action_parameters }: ConfiguredRule): string {
  for (const [start, origin] of origins) {
    if (description.startsWith(start)) return `${origin}: ${description.slice(start.length)}`;
  }
  if (action === 'execute' && action_parameters?.id === managedRulesetId)
    return 'Packages CloudFlare and USER: modes of rules and groups';
  if (action === 'execute' && action_parameters?.id === owaspRulesetId)
    return 'Package OWASP: sensitivity and action';
  return 'Written by hand';
}

function changeOverrides(rule: ConfiguredRule, change: Partial<Overrides>): ConfiguredRule {
  const overrides: Record<string, unknown> = { ...rule.action_parameters?.overrides, ...change };
  for (const [name, value] of Object.entries(overrides)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) delete overrides[name];
  }
  const { overrides: _replaced, ...parameters } = rule.action_parameters ?? {};
  return {
    ...rule,
    action_parameters: Object.keys(overrides).length === 0 ? parameters : { ...parameters, overrides },
  };
}

type RuleChange = Omit<RuleOverride, 'id'>;

/** Sets what one rule of the managed ruleset does; `undefined` leaves it to the ruleset. */
export function overrideRule(
  rule: ConfiguredRule,
  ruleId: string,
  change: RuleChange | undefined,
): ConfiguredRule {
  const all = rule.action_parameters?.overrides?.rules ?? [];
  const index = all.findIndex(({ id }) => id === ruleId);
  if (change === undefined) return changeOverrides(rule, { rules: all.filter(({ id }) => id !== ruleId) });
  const next = { id: ruleId, ...change };
  return changeOverrides(rule, { rules: index === -1 ? [...all, next] : all.with(index, next) });
}

/** What the override does not say stays as it was. */
export function mergeOverride(rule: ConfiguredRule, ruleId: string, change: RuleChange): ConfiguredRule {
  const own = rule.action_parameters?.overrides?.rules?.find(({ id }) => id === ruleId);
  return overrideRule(rule, ruleId, { ...own, ...change });
}

/** The highest level whose rules are on. */
export function readParanoiaLevel({ action_parameters }: ConfiguredRule): number {
  const off = (action_parameters?.overrides?.categories ?? [])
    .filter(({ enabled }) => enabled === false)
    .map(({ category }) => Number(/^paranoia-level-([1-4])$/.exec(category)?.[1] ?? 5));
  return Math.max(1, Math.min(4, ...off.map((level) => level - 1)));
}

export function setParanoiaLevel(rule: ConfiguredRule, level: number): ConfiguredRule {
  const others = (rule.action_parameters?.overrides?.categories ?? []).filter(
    ({ category }) => !/^paranoia-level-[1-4]$/.test(category),
  );
  const off = paranoiaLevels
    .filter((each) => each > level)
    .map((each) => ({ category: `paranoia-level-${each}`, enabled: false }));
  return changeOverrides(rule, { categories: [...others, ...off] });
}

/**
 * Edits of the migrated configuration that would treat changed requests as before, each as narrow as the traffic allows: an
 * override of one rule if no other request needs the rule as it is, an exception for paths otherwise. Whether an edit
 * does what it is meant to is not decided here, but by another replay.
 */
import { findReplacement, managedRulesets } from '#managed';
import type { Comparison, DecidedRequests } from './comparison.ts';
import { exceptionPathsMax } from './limits.ts';
import { writeRuleKey } from './outcome.ts';
import type { ProvenSuggestion } from './report/report.ts';
import type { MigrationConfig } from './zone-copy.ts';

export type Suggestion = Omit<ProvenSuggestion, 'restored'>;

type Overrides = {
  readonly rules?: readonly { readonly id: string }[];
  readonly [property: string]: unknown;
};

interface ConfigRule {
  readonly action?: string;
  readonly action_parameters?: { readonly id?: string; readonly overrides?: Overrides };
}

export function suggestEdits({ groups, stoppedAlike }: Comparison): Suggestion[] {
  return [...groups.values()].flatMap((group) => {
    const isNeeded = (stoppedAlike.get(writeRuleKey(group.rule)) ?? 0) > 0;
    const suggestion = suggestEdit(group, isNeeded);
    return suggestion === undefined ? [] : [suggestion];
  });
}

function suggestEdit(group: DecidedRequests, isNeeded: boolean): Suggestion | undefined {
  const { kind, rule } = group;
  if (kind === 'noLongerStopped') return suggestStronger(group);
  const ruleset = managedRulesets.get(rule.rulesetId);
  if (rule.source !== 'firewallManaged' || ruleset === undefined) return undefined;
  const name = `“${rule.description}”`;
  const isMixed = group.actionsBefore.size > 1;
  if (kind === 'otherAction') {
    const [action] = group.actionsBefore;
    if (isNeeded || isMixed || action === undefined) return undefined;
    const edit = createOverride(group, { action });
    return { kind, rule, edit, title: `Let ${name} answer with ${action}, as the legacy rule did` };
  }
  if (isNeeded) return suggestException(group);
  if (group.scoreMax > 0) {
    const score_threshold = group.scoreMax + 1;
    const edit = createOverride(group, { score_threshold });
    return { kind, rule, edit, title: `Raise the threshold of ${name} to ${score_threshold}` };
  }
  return { kind, rule, edit: createOverride(group, { action: 'log' }), title: `Let ${name} only log` };
}

function createOverride({ rule }: DecidedRequests, override: object): Suggestion['edit'] {
  return { kind: 'override', rulesetId: rule.rulesetId, override: { id: rule.id, ...override } };
}

/** The rule stays in force for all other paths. */
function suggestException(group: DecidedRequests): Suggestion | undefined {
  const { kind, rule, paths } = group;
  if (paths.size > exceptionPathsMax) return undefined;
  const values = [...paths.keys()].map((path) => JSON.stringify(path));
  if (values.some((value) => value.endsWith('…"'))) return undefined;
  const exception = {
    action: 'skip',
    expression: `http.request.uri.path in {${values.join(' ')}}`,
    description: `Exception from a rehearsal: ${rule.description}`.slice(0, 200),
    enabled: true,
    action_parameters: { rules: { [rule.rulesetId]: [rule.id] } },
  };
  const title = `Except ${paths.size === 1 ? 'a path' : `${paths.size} paths`} from “${rule.description}”`;
  return { kind, rule, edit: { kind: 'exception', rule: exception }, title };
}

/** A legacy rule whose replacement does less: the replacement gets the action that the legacy rule had. */
function suggestStronger(group: DecidedRequests): Suggestion | undefined {
  const { kind, rule } = group;
  const [action] = group.actionsBefore;
  const id = rule.source === 'waf' ? findReplacement(rule.id) : undefined;
  const ruleset = [...managedRulesets.values()].find(({ rules }) => rules.some((each) => each.id === id));
  if (id === undefined || ruleset === undefined || action === undefined || group.actionsBefore.size > 1)
    return undefined;
  const edit = {
    kind: 'override',
    rulesetId: ruleset.id,
    override: { id, enabled: true, action },
  } as const;
  return { kind, rule, edit, title: `Let the replacement of “${rule.description}” ${action} again` };
}

/** The configuration with the edits: overrides inside the execute rules, exceptions before them. */
export function applyEdits(config: MigrationConfig, suggestions: readonly Suggestion[]): MigrationConfig {
  let rules = [...config.rules] as ConfigRule[];
  for (const { edit } of suggestions) {
    if (edit.kind === 'override') rules = rules.map((rule) => addOverride(rule, edit));
  }
  const exceptions = suggestions.flatMap(({ edit }) => (edit.kind === 'exception' ? [edit.rule] : []));
  const first = rules.findIndex(({ action }) => action === 'execute');
  const place = first < 0 ? rules.length : first;
  return { ...config, rules: [...rules.slice(0, place), ...exceptions, ...rules.slice(place)] };
}

function addOverride(
  rule: ConfigRule,
  { rulesetId, override }: { readonly rulesetId: string; readonly override: object },
): ConfigRule {
  const parameters = rule.action_parameters;
  if (rule.action !== 'execute' || parameters?.id !== rulesetId) return rule;
  const { id } = override as { readonly id: string };
  const existing = parameters.overrides?.rules ?? [];
  const own = existing.find((each) => each.id === id);
  const others = existing.filter((each) => each.id !== id);
  const merged = [...others, { ...own, ...override, id }];
  return {
    ...rule,
    action_parameters: { ...parameters, overrides: { ...parameters.overrides, rules: merged } },
  };
}

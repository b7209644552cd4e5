/**
 * Edits of the migrated configuration that may treat changed requests as before: an override if the traffic does not
 * otherwise need the rule, an exception for paths otherwise. There are several for one rule, the best first. Whether
 * one has the intended effect is decided by another replay.
 */
import { findReplacement, managedRulesets } from '#managed';
import type { Comparison, DecidedRequests } from './comparison.ts';
import { exceptionPathsMax } from './limits.ts';
import { type Outcome, writeRuleKey } from './outcome.ts';
import type { Edit, ProvenSuggestion } from './report/report.ts';
import type { ConfigRule, MigrationConfig } from './snapshot.ts';

export type Suggestion = Omit<ProvenSuggestion, 'restored'>;

interface SuggestionDraft {
  readonly title: string;
  readonly edit: Edit;
}

/** The first untried edit for the rule with the most changed requests. Adds it to `tried`. */
export function suggestEdit(comparison: Comparison, tried: Set<string>): Suggestion | undefined {
  const groups = [...comparison.groups.values()].toSorted((a, b) => b.count - a.count);
  for (const group of groups) {
    const { kind, rule } = group;
    for (const draft of draftEdits(group, comparison)) {
      const key = JSON.stringify([kind, draft.edit]);
      if (tried.has(key)) continue;
      tried.add(key);
      return { kind, rule, ...draft };
    }
  }
  return undefined;
}

function draftEdits(group: DecidedRequests, comparison: Comparison): SuggestionDraft[] {
  const { kind, rule } = group;
  if (kind === 'noLongerStopped') return draftStronger(group);
  if (rule.source !== 'firewallManaged' || !managedRulesets.has(rule.rulesetId)) return [];
  const isNeeded = (comparison.stoppedAlike.get(writeRuleKey(rule)) ?? 0) > 0;
  if (kind === 'otherAction') return isNeeded ? [] : draftAction(group);
  // If a score decides, an exception for some paths keeps more protection than disabling rules everywhere.
  const exception = draftException(group);
  return [
    ...(group.scores === undefined ? [] : exception),
    ...draftScores(group, [...comparison.scoresAlike.values()]),
    ...(isNeeded ? [] : draftWeaker(group)),
    ...(group.scores === undefined ? exception : []),
  ];
}

function override(rulesetId: string, ...overrides: { readonly id: string }[]): Edit {
  return { kind: 'override', rulesetId, overrides };
}

function draftAction({ rule, actionsBefore }: DecidedRequests): SuggestionDraft[] {
  const [action] = actionsBefore;
  if (action === undefined || actionsBefore.size > 1) return [];
  const title = `Let “${rule.description}” answer with ${action}, as the legacy rule did`;
  return [{ title, edit: override(rule.rulesetId, { id: rule.id, ...{ action } }) }];
}

type Scores = readonly NonNullable<Outcome['score']>[];

/** Rules that add to scores, without which all other stopped requests still reach the threshold. */
function draftScores({ rule, scoredRules }: DecidedRequests, alike: Scores): SuggestionDraft[] {
  const chosen = new Set<string>();
  // The most frequent first, because each disabled rule reduces the margin for the next.
  const byCount = [...scoredRules].toSorted(([, a], [, b]) => b.count - a.count);
  for (const [id] of byCount) if (areEnough(alike, chosen.union(new Set([id])))) chosen.add(id);
  if (chosen.size === 0) return [];
  const overrides = [...chosen].map((id) => ({ id, enabled: false }));
  const names = [...chosen].map((id) => `“${scoredRules.get(id)!.description}”`).join(', ');
  const title = `Turn off ${chosen.size} of the rules that add to these scores: ${names}`;
  return [{ title, edit: override(rule.rulesetId, ...overrides) }];
}

function areEnough(scores: Scores, without: ReadonlySet<string>): boolean {
  return scores.every(({ total, threshold, rules }) => {
    const lost = rules.reduce((sum, { id, score }) => (without.has(id) ? sum + score : sum), 0);
    return total - lost >= threshold;
  });
}

function draftWeaker({ rule, scores }: DecidedRequests): SuggestionDraft[] {
  const { id, rulesetId, description } = rule;
  if (scores === undefined)
    return [
      { title: `Let “${description}” only log`, edit: override(rulesetId, { id, ...{ action: 'log' } }) },
    ];
  const score_threshold = scores.max + 1;
  const title = `Raise the threshold of “${description}” to ${score_threshold}`;
  return [{ title, edit: override(rulesetId, { id, ...{ score_threshold } }) }];
}

/** The rule stays in force for all other paths. For a score, only the rules that added to it are skipped. */
function draftException({ rule, paths, scoredRules }: DecidedRequests): SuggestionDraft[] {
  const ids = scoredRules.size === 0 ? [rule.id] : [...scoredRules.keys()];
  const values = [...paths.keys()].map((path) => JSON.stringify(path));
  if (values.length > exceptionPathsMax || values.some((value) => value.endsWith('…"'))) return [];
  const exception: ConfigRule = {
    action: 'skip',
    expression: `http.request.uri.path in {${values.join(' ')}}`,
    description: `Exception from a rehearsal: ${rule.description}`.slice(0, 200),
    enabled: true,
    action_parameters: { rules: { [rule.rulesetId]: ids } },
  };
  const where = paths.size === 1 ? 'a path' : `${paths.size} paths`;
  const what = scoredRules.size === 0 ? '' : `${ids.length} of the rules that add to `;
  const title = `Except ${where} from ${what}“${rule.description}”`;
  return [{ title, edit: { kind: 'exception', rule: exception } }];
}

/**
 * The replacement of a legacy rule gets that rule's action; that of legacy scores gets the lowest score that was
 * sufficient.
 */
function draftStronger({ rule, actionsBefore, scores }: DecidedRequests): SuggestionDraft[] {
  const [action] = actionsBefore;
  if (rule.source !== 'waf' || action === undefined || actionsBefore.size > 1) return [];
  const replacement = findReplacement(rule.id);
  for (const { id: rulesetId, rules } of managedRulesets.values()) {
    const replacing = rules.find(({ id, scoreThreshold }) =>
      scores === undefined ? id === replacement : scoreThreshold !== undefined,
    );
    if (replacing === undefined) continue;
    const { id, description } = replacing;
    if (scores !== undefined) {
      const title = `Lower the threshold of “${description}” to ${scores.min}`;
      return [{ title, edit: override(rulesetId, { id, ...{ score_threshold: scores.min } }) }];
    }
    const title = `Let “${description}” ${action} again, as the legacy rule did`;
    return [{ title, edit: override(rulesetId, { id, ...{ enabled: true, action } }) }];
  }
  return [];
}

/** The configuration with the edits: overrides inside the execute rules, exceptions before them. */
export function applyEdits(config: MigrationConfig, suggestions: readonly Suggestion[]): MigrationConfig {
  let { rules } = config;
  for (const { edit } of suggestions) {
    if (edit.kind === 'override') rules = rules.map((rule) => addOverrides(rule, edit));
  }
  const exceptions = suggestions.flatMap(({ edit }) => (edit.kind === 'exception' ? [edit.rule] : []));
  const first = rules.findIndex(({ action }) => action === 'execute');
  const place = first < 0 ? rules.length : first;
  return { ...config, rules: [...rules.slice(0, place), ...exceptions, ...rules.slice(place)] };
}

function addOverrides(rule: ConfigRule, edit: Extract<Edit, { kind: 'override' }>): ConfigRule {
  const parameters = rule.action_parameters;
  if (rule.action !== 'execute' || parameters?.id !== edit.rulesetId) return rule;
  const merged = new Map((parameters.overrides?.rules ?? []).map((each) => [each.id, each]));
  for (const each of edit.overrides) merged.set(each.id, { ...merged.get(each.id), ...each });
  const overrides = { ...parameters.overrides, rules: [...merged.values()] };
  return { ...rule, action_parameters: { ...parameters, overrides } };
}

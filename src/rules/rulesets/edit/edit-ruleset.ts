/**
 * Creates the next version of a ruleset. Edits take checked input, and guarantee:
 * - The version of the ruleset grows by one with each edit, whatever it changed.
 * - A rule keeps its id while clients refer to it by id or ref, or send its content; an id is never given to another
 *   rule.
 * - The version of a rule grows by one, and its time changes, exactly when its content changes. Moving it does neither.
 * - Keys are in the order in which the API emits them.
 */
import { assert } from '#base';
import type {
  RuleAddition,
  RuleDefinition,
  RuleDraft,
  RuleEdit,
  Ruleset,
  RulesetChange,
  RulesetDraft,
  RulesetRule,
  Position,
} from '../model.ts';
import { isSameRule } from './diff.ts';
import { matchRules } from './match-rules.ts';

/** Values that an edit cannot compute itself. */
export interface Stamp {
  /** RFC 3339 with microseconds. */
  readonly now: string;
  /** A unique id. */
  newId(): string;
}

export function createRuleset(draft: RulesetDraft, stamp: Stamp): Ruleset {
  const { name, description, kind, phase } = draft;
  return {
    id: stamp.newId(),
    name,
    description,
    ...(phase === 'http_request_firewall_managed' ? { source: 'firewall_managed' } : {}),
    kind,
    version: '1',
    rules: draft.rules.map((rule) => createRule(rule, stamp)),
    last_updated: stamp.now,
    phase,
  };
}

/** The name stays, whatever the change contains. */
export function changeRuleset(ruleset: Ruleset, change: RulesetChange, stamp: Stamp): Ruleset {
  const { description = ruleset.description } = change;
  const rules = change.rules ? replaceRules(ruleset.rules, change.rules, stamp) : ruleset.rules;
  return nextVersion({ ...ruleset, description }, rules, stamp);
}

export function addRule(ruleset: Ruleset, { draft, position }: RuleAddition, stamp: Stamp): Ruleset {
  const { rules } = ruleset;
  const index = position === undefined ? rules.length : indexOfPosition(position, rules);
  return nextVersion(ruleset, rules.toSpliced(index, 0, createRule(draft, stamp)), stamp);
}

export function editRule(
  ruleset: Ruleset,
  { ruleId, edit }: { ruleId: string; edit: RuleEdit },
  stamp: Stamp,
): Ruleset {
  const { index, rule } = find(ruleset, ruleId);
  const edited = edit.draft === undefined ? rule : changeRule(rule, edit.draft, stamp);
  const others = ruleset.rules.toSpliced(index, 1);
  const indexNext = edit.position === undefined ? index : indexOfPosition(edit.position, others);
  return nextVersion(ruleset, others.toSpliced(indexNext, 0, edited), stamp);
}

export function removeRule(ruleset: Ruleset, ruleId: string, stamp: Stamp): Ruleset {
  return nextVersion(ruleset, ruleset.rules.toSpliced(find(ruleset, ruleId).index, 1), stamp);
}

/**
 * The rules and description of an earlier version as the next one. Rules that were deleted in between get their ids
 * back.
 */
export function restoreRuleset(ruleset: Ruleset, earlier: Ruleset, stamp: Stamp): Ruleset {
  const current = new Map(ruleset.rules.map((rule) => [rule.id, rule]));
  const rules = earlier.rules.map((rule) => {
    const now = current.get(rule.id);
    if (now !== undefined) return changeRule(now, rule, stamp);
    return makeRule(rule, { ...rule, version: increment(rule.version), now: stamp.now });
  });
  return nextVersion({ ...ruleset, description: earlier.description }, rules, stamp);
}

function nextVersion(ruleset: Ruleset, rules: readonly RulesetRule[], { now }: Stamp): Ruleset {
  assert(
    new Set(rules.map(({ id }) => id)).size === rules.length,
    'ids of rules are unique in their ruleset',
  );
  return { ...ruleset, version: increment(ruleset.version), rules, last_updated: now };
}

function replaceRules(
  rules: readonly RulesetRule[],
  drafts: readonly RuleDraft[],
  stamp: Stamp,
): readonly RulesetRule[] {
  const matches = matchRules(rules, drafts);
  return drafts.map((draft, index) => {
    const match = matches[index];
    return match === undefined
      ? createRule(draft, stamp)
      : changeRule(match.rule, { ...draft, ref: match.ref }, stamp);
  });
}

function createRule(draft: RuleDraft, { now, newId }: Stamp): RulesetRule {
  const id = newId();
  return makeRule(draft, { id, ref: draft.ref ?? id, version: '1', now });
}

function changeRule(rule: RulesetRule, draft: RuleDraft, { now }: Stamp): RulesetRule {
  const { id, version } = rule;
  const changed = makeRule(draft, { id, ref: draft.ref ?? id, version: increment(version), now });
  return isSameRule(rule, changed) ? rule : changed;
}

interface Identity {
  readonly id: string;
  readonly ref: string;
  readonly version: string;
  readonly now: string;
}

function makeRule(definition: RuleDefinition, { id, ref, version, now }: Identity): RulesetRule {
  const { action_parameters, ratelimit, exposed_credential_check, description, logging } = definition;
  return {
    id,
    version,
    action: definition.action,
    expression: definition.expression,
    ...(action_parameters && { action_parameters }),
    ...(ratelimit && { ratelimit }),
    ...(exposed_credential_check && { exposed_credential_check }),
    ...(description && { description }),
    last_updated: now,
    ref,
    enabled: definition.enabled,
    ...(logging && { logging }),
  };
}

function find({ rules }: Ruleset, ruleId: string): { readonly index: number; readonly rule: RulesetRule } {
  const index = rules.findIndex(({ id }) => id === ruleId);
  const rule = rules[index];
  if (rule === undefined) throw new RangeError(`the ruleset has no such rule: ${ruleId}`);
  return { index, rule };
}

function increment(version: string): string {
  return String(Number(version) + 1);
}

/** From 0: before which of the rules; after them all if it equals the number of rules. */
function indexOfPosition(position: Position, rules: readonly RulesetRule[]): number {
  if ('index' in position) return position.index - 1;
  if ('before' in position) return position.before === '' ? 0 : indexOf(position.before, rules);
  return position.after === '' ? rules.length : indexOf(position.after, rules) + 1;
}

function indexOf(ruleId: string, rules: readonly RulesetRule[]): number {
  const index = rules.findIndex(({ id }) => id === ruleId);
  assert(index !== -1, `a checked position names a rule: ${ruleId}`);
  return index;
}

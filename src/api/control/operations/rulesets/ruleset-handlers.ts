/** Operations on rulesets and their rules, for zones and for the account. */
import {
  addRule,
  changeRuleset,
  checkRuleAddition,
  checkRuleEdit,
  checkRulesetChange,
  checkRulesetDraft,
  createRuleset,
  editRule,
  removeRule,
  type Ruleset,
} from '#rulesets';
import { fault, noContent, ok, rulesetCodes } from '#contract';
import { customRulesetsMax } from '../../context/limits.ts';
import {
  accept,
  commit,
  addNotes,
  addUnevaluatedMessages,
  addVanishedMessage,
  createStamp,
} from './commit.ts';
import { findOwn, findRule, findRuleset } from './find-ruleset.ts';
import type { LevelHandlers } from './level-handlers.ts';
import { listManagedFor, toManagedJson, toManagedSummary } from './managed-rulesets.ts';
import type { RulesetLevel } from './ruleset-level.ts';

export const rulesetHandlers: Pick<
  LevelHandlers,
  'list' | 'create' | 'get' | 'update' | 'delete' | 'addRule' | 'editRule' | 'deleteRule'
> = {
  list({ context, store, plan }) {
    const own = store.listSummaries();
    addUnevaluatedMessages(context, own);
    return ok([...own, ...listManagedFor(plan).map(toManagedSummary)]);
  },

  create(level, { body, query }) {
    const draft = accept(checkRulesetDraft(body, level.checks));
    const { kind, phase } = draft;
    if (kind === 'custom' && level.store.countCustom(phase) >= customRulesetsMax) {
      throw fault(rulesetCodes.rulesetQuotaExceeded, { fill: { phase, max: customRulesetsMax } });
    }
    const next = createRuleset(draft, createStamp(level.context));
    return commit(level, { next, body: 'ruleset', isDryRun: query.dry_run });
  },

  get(level, { path }) {
    const found = findRuleset(level, path['ruleset_id']!);
    if ('managed' in found) return ok(toManagedJson(found.managed));
    addNotes(level, found.own);
    return ok(found.own);
  },

  update(level, { path, body, query }) {
    const before = findOwn(level, path['ruleset_id']!);
    const change = accept(checkRulesetChange(body, before, level.checks));
    const next = changeRuleset(before, change, createStamp(level.context));
    addVanishedMessage(level.context, before, next);
    return commit(level, { before, next, body: 'ruleset', isDryRun: query.dry_run });
  },

  delete(level, { path, query }) {
    const { context, store } = level;
    const ruleset = findOwn(level, path['ruleset_id']!);
    checkUnused(level, ruleset);
    if (query.dry_run === true) return noContent;
    store.remove(ruleset.id);
    context.audit({ resource: 'ruleset', id: ruleset.id, before: ruleset, after: undefined });
    return noContent;
  },

  addRule(level, { path, body, query }) {
    const before = findOwn(level, path['ruleset_id']!);
    const addition = accept(checkRuleAddition(body, before, level.checks));
    const next = addRule(before, addition, createStamp(level.context));
    return commit(level, { before, next, body: 'rule', isDryRun: query.dry_run });
  },

  editRule(level, { path, body, query }) {
    const before = findOwn(level, path['ruleset_id']!);
    const ruleId = findRule(before, path['rule_id']!).id;
    const edit = accept(checkRuleEdit(body, { ruleset: before, ruleId }, level.checks));
    const next = editRule(before, { ruleId, edit }, createStamp(level.context));
    return commit(level, { before, next, body: 'rule', isDryRun: query.dry_run });
  },

  deleteRule(level, { path, query }) {
    const before = findOwn(level, path['ruleset_id']!);
    const ruleId = findRule(before, path['rule_id']!).id;
    const next = removeRule(before, ruleId, createStamp(level.context));
    // Deleting a rule is always allowed, whatever the other rules are.
    const admitting = { ...level, admit: () => {} };
    return commit(admitting, { before, next, body: 'nothing', isDryRun: query.dry_run });
  },
};

/** Custom rulesets are executed by entry points of the account, which are in the same store. */
function checkUnused({ store }: RulesetLevel, { id, kind }: Ruleset): void {
  if (kind !== 'custom') return;
  for (const executor of store.listAll('entry points')) {
    const rule = executor.rules.find(
      ({ action, action_parameters }) => action === 'execute' && action_parameters?.['id'] === id,
    );
    if (rule === undefined) continue;
    const fill = { rule: rule.id, executor: executor.id, ruleset: id };
    throw fault(rulesetCodes.rulesetInUse, { fill, id: executor.id });
  }
}

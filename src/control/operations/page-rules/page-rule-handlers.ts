/** Operations on page rules. */
import { formatPagePattern, type PagePattern, readPagePattern } from '#firewall';
import { entryOf, Fault, fault, type Message, ok, pageRuleCodes, type pageRuleOperations } from '#api';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { pageRulesMax } from '../../context/limits.ts';
import { sayIdlePageRules } from '../../migration/notes.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import { problemsOfActions, withoutEmptyValues } from './page-rule-actions.ts';
import { type PageRule, type PageRuleAction, PageRuleStore } from '../../stores/page-rule-store.ts';
import { isHostOfZone } from './zone-host.ts';

export const pageRuleHandlers: Handlers<ZoneContext, typeof pageRuleOperations> = {
  'pageRules.create'(context, { body }) {
    const store = new PageRuleStore(context.sql);
    const max = pageRulesMax[context.zone.plan];
    if (store.count() >= max) throw fault(pageRuleCodes.pageRuleQuota, { fill: { max } });
    const id = context.newId();
    const { priority = 1, status = 'disabled' } = body;
    const times = { createdAtMs: context.nowMs, modifiedAtMs: context.nowMs };
    const rule: PageRule = { id, ...checkedContent(context, id, body), priority, status, ...times };
    store.add(rule);
    sayIdlePageRules(context, [rule]);
    context.audit({ resource: 'page_rule', id, before: undefined, after: pageRuleJson(rule) });
    return ok(pageRuleJson(rule));
  },

  'pageRules.list'(context, { query }) {
    const { status, order = 'priority', direction = 'desc' } = query;
    const rules = new PageRuleStore(context.sql)
      .all()
      .filter((rule) => status === undefined || rule.status === status);
    if (order === 'status') rules.sort((a, b) => a.status.localeCompare(b.status));
    // Precedence is already the order of falling priorities; states fall from disabled to active.
    const isReversed = (order === 'priority') === (direction === 'asc');
    return ok((isReversed ? rules.toReversed() : rules).map(pageRuleJson));
  },

  'pageRules.get'(context, { path }) {
    return ok(pageRuleJson(existingRule(context, path['pagerule_id']!)));
  },

  'pageRules.update'(context, { path, body }) {
    const before = existingRule(context, path['pagerule_id']!);
    const { priority = 1, status = 'disabled' } = body;
    return replace(context, before, { ...checkedContent(context, before.id, body), priority, status });
  },

  'pageRules.edit'(context, { path, body }) {
    const before = existingRule(context, path['pagerule_id']!);
    const targets = body.targets ?? targetsOf(before);
    const actions = body.actions ?? before.actions;
    const { priority = before.priority, status = before.status } = body;
    const content = checkedContent(context, before.id, { targets, actions });
    return replace(context, before, { ...content, priority, status });
  },

  'pageRules.delete'(context, { path }) {
    const before = existingRule(context, path['pagerule_id']!);
    new PageRuleStore(context.sql).remove(before.id);
    context.audit({ resource: 'page_rule', id: before.id, before: pageRuleJson(before), after: undefined });
    return ok({ id: before.id });
  },
};

interface Target {
  readonly target: 'url';
  readonly constraint: { readonly operator: 'matches'; readonly value: string };
}

interface GivenContent {
  readonly targets: readonly Target[];
  readonly actions: readonly PageRuleAction[];
}

type Content = Pick<PageRule, 'pattern' | 'patternKey' | 'actions'>;

function existingRule({ sql }: ZoneContext, id: string): PageRule {
  const rule = new PageRuleStore(sql).get(id);
  if (rule === undefined) throw fault(pageRuleCodes.pageRuleNotFound);
  return rule;
}

/** What it says of itself that rule `id` may be so; everything wrong with it is in the messages of the fault. */
function checkedContent(context: ZoneContext, id: string, { targets, actions }: GivenContent): Content {
  const { value } = targets[0]!.constraint;
  const problems = problemsOfActions(actions);
  const read = readPagePattern(value);
  if (!read.ok) {
    problems.unshift(`.targets[0].constraint.value: ${read.reason}`);
    throw invalid(problems);
  }
  if (!isHostOfZone(read.pattern.host, context.zone.name)) {
    problems.unshift(`.targets[0].constraint.value: must name a host of the zone ${context.zone.name}`);
  }
  const patternKey = formatPagePattern(read.pattern);
  const same = new PageRuleStore(context.sql).withPatternKey(patternKey);
  if (same !== undefined && same.id !== id) {
    problems.push(
      `.distinctTargetUrl: Your zone already has an existing page rule with that URL: change page rule ${same.id} instead`,
    );
  }
  if (problems.length > 0) throw invalid(problems);
  return { pattern: shownPattern(value, read.pattern), patternKey, actions: withoutEmptyValues(actions) };
}

function invalid(problems: readonly string[]): Fault {
  const messages = problems.map((message): Message => ({ code: 1, message, type: null }));
  return new Fault(pageRuleCodes.pageRuleInvalid.status, [entryOf(pageRuleCodes.pageRuleInvalid)], messages);
}

/** As the client wrote it, so that it finds again what it sent; only a host alone gets the slash that it means. */
function shownPattern(given: string, { uri }: PagePattern): string {
  return uri === '/' && !given.endsWith('/') ? `${given}/` : given;
}

function replace(
  context: ZoneContext,
  before: PageRule,
  content: Content & Pick<PageRule, 'priority' | 'status'>,
) {
  const after: PageRule = { ...before, ...content, modifiedAtMs: context.nowMs };
  new PageRuleStore(context.sql).replace(after);
  sayIdlePageRules(context, [after]);
  context.audit({
    resource: 'page_rule',
    id: before.id,
    before: pageRuleJson(before),
    after: pageRuleJson(after),
  });
  return ok(pageRuleJson(after));
}

function targetsOf({ pattern }: PageRule): Target[] {
  return [{ target: 'url', constraint: { operator: 'matches', value: pattern } }];
}

/** In the order of the original. */
function pageRuleJson(rule: PageRule): object {
  return {
    id: rule.id,
    targets: targetsOf(rule),
    actions: rule.actions,
    priority: rule.priority,
    status: rule.status,
    created_on: toMicroseconds(rule.createdAtMs),
    modified_on: toMicroseconds(rule.modifiedAtMs),
  };
}

/** Operations on page rules. */
import { formatPagePattern, type PagePattern, readPagePattern } from '#rulesets';
import { entryOf, Fault, fault, type Message, ok, pageRuleCodes, type Result } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { pageRulesMax } from '../../context/limits.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import { findMissingStar, forwardsToItself } from './forwarding-loop.ts';
import { listActionProblems, withoutEmptyValues } from './page-rule-actions.ts';
import {
  type PageRule,
  type PageRuleAction,
  pageRuleTable,
  findByPatternKey,
} from '../../stores/page-rules.ts';
import { isHostOfZone } from './zone-host.ts';

export const pageRuleHandlers: Handlers<ZoneContext, 'pageRules'> = {
  'pageRules.create'(context, { body }) {
    const max = pageRulesMax[context.zone.plan];
    if (pageRuleTable.count(context.sql) >= max) throw fault(pageRuleCodes.pageRuleQuota, { fill: { max } });
    const id = context.newId();
    const { priority = 1, status = 'disabled' } = body;
    const times = { createdAtMs: context.nowMs, modifiedAtMs: context.nowMs };
    const rule: PageRule = { id, ...checkContent(context, id, body), priority, status, ...times };
    pageRuleTable.insert(context.sql, rule);
    context.audit({ resource: 'page_rule', id, before: undefined, after: toPageRuleJson(rule) });
    return ok(toPageRuleJson(rule));
  },

  'pageRules.list'(context, { query }) {
    const { status, order = 'priority', direction = 'desc' } = query;
    const rules = pageRuleTable
      .list(context.sql)
      .filter((rule) => status === undefined || rule.status === status);
    if (order === 'status') rules.sort((a, b) => a.status.localeCompare(b.status));
    // Precedence is already the order of descending priority; descending status means disabled before active.
    const isReversed = (order === 'priority') === (direction === 'asc');
    return ok((isReversed ? rules.toReversed() : rules).map(toPageRuleJson));
  },

  'pageRules.get'(context, { path }) {
    const rule = requireRule(context, path['pagerule_id']!);
    return ok(toPageRuleJson(rule));
  },

  'pageRules.update'(context, { path, body }) {
    const before = requireRule(context, path['pagerule_id']!);
    const { priority = 1, status = 'disabled' } = body;
    return replace(context, before, { ...checkContent(context, before.id, body), priority, status });
  },

  'pageRules.edit'(context, { path, body }) {
    const before = requireRule(context, path['pagerule_id']!);
    const targets = body.targets ?? toTargets(before);
    const actions = body.actions ?? before.actions;
    const { priority = before.priority, status = before.status } = body;
    const content = checkContent(context, before.id, { targets, actions });
    return replace(context, before, { ...content, priority, status });
  },

  'pageRules.delete'(context, { path }) {
    const before = requireRule(context, path['pagerule_id']!);
    pageRuleTable.remove(context.sql, before.id);
    context.audit({ resource: 'page_rule', id: before.id, before: toPageRuleJson(before), after: undefined });
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

type PageRuleContext = Omit<ZoneContext, 'addMessage'>;

type Content = Pick<PageRule, 'pattern' | 'patternKey' | 'actions'>;

function requireRule({ sql }: PageRuleContext, id: string): PageRule {
  const rule = pageRuleTable.get(sql, id);
  if (rule === undefined) throw fault(pageRuleCodes.pageRuleNotFound);
  return rule;
}

/** Checks the content as that of rule `id`. The messages of the fault list everything that is wrong. */
function checkContent(context: PageRuleContext, id: string, { targets, actions }: GivenContent): Content {
  const { value } = targets[0]!.constraint;
  const problems = listActionProblems(actions);
  const read = readPagePattern(value);
  if (!read.ok) {
    problems.unshift(`.targets[0].constraint.value: ${read.reason}`);
    throw createFault(problems);
  }
  if (!isHostOfZone(read.pattern.host, context.zone.name)) {
    problems.unshift(`.targets[0].constraint.value: must name a host of the zone ${context.zone.name}`);
  }
  const missing = findMissingStar(value, actions);
  if (missing !== undefined) {
    problems.push(`.settings.forwarding_url: ${missing} stands for a * that the pattern does not have`);
  }
  if (problems.length === 0 && forwardsToItself(value, actions)) {
    problems.push(
      '.settings.forwarding_url: redirects to a URL that the rule also matches: narrow the pattern, or choose another target',
    );
  }
  const patternKey = formatPagePattern(read.pattern);
  const same = findByPatternKey(context.sql, patternKey);
  if (same !== undefined && same.id !== id) {
    problems.push(
      `.distinctTargetUrl: Your zone already has an existing page rule with that URL: change page rule ${same.id} instead`,
    );
  }
  if (problems.length > 0) throw createFault(problems);
  return { pattern: formatPattern(value, read.pattern), patternKey, actions: withoutEmptyValues(actions) };
}

function createFault(problems: readonly string[]): Fault {
  const messages = problems.map((message): Message => ({ code: 1, message, type: null }));
  return new Fault(pageRuleCodes.pageRuleInvalid.status, [entryOf(pageRuleCodes.pageRuleInvalid)], messages);
}

/**
 * The pattern is stored as the client wrote it, so that the client recognises it; a host alone gets the slash that it
 * implies.
 */
function formatPattern(given: string, { uri }: PagePattern): string {
  return uri === '/' && !given.endsWith('/') ? `${given}/` : given;
}

function replace(
  context: PageRuleContext,
  before: PageRule,
  content: Content & Pick<PageRule, 'priority' | 'status'>,
) {
  const after: PageRule = { ...before, ...content, modifiedAtMs: context.nowMs };
  pageRuleTable.update(context.sql, after);
  context.audit({
    resource: 'page_rule',
    id: before.id,
    before: toPageRuleJson(before),
    after: toPageRuleJson(after),
  });
  return ok(toPageRuleJson(after));
}

function toTargets({ pattern }: PageRule): Target[] {
  return [{ target: 'url', constraint: { operator: 'matches', value: pattern } }];
}

/** The keys are in Cloudflare's order. */
function toPageRuleJson(rule: PageRule): Result<'pageRules.get'> {
  return {
    id: rule.id,
    targets: toTargets(rule),
    actions: rule.actions,
    priority: rule.priority,
    status: rule.status,
    created_on: toMicroseconds(rule.createdAtMs),
    modified_on: toMicroseconds(rule.modifiedAtMs),
  };
}

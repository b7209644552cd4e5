/** Operations on user agent rules. */
import { fault, type InputOf, ok, page, type Result, userAgentRuleCodes as codes } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { userAgentRulesMax } from '../../context/limits.ts';
import { type UserAgentRule, userAgentRuleTable } from '../../stores/user-agent-rules.ts';

export const userAgentRuleHandlers: Handlers<ZoneContext, 'userAgentRules'> = {
  'userAgentRules.list'({ sql }, { query }) {
    const { total, rows } = userAgentRuleTable.search(sql, {
      ...query,
      description: query.description ?? query.description_search,
      user_agent: query.user_agent ?? query.ua_search,
    });
    return page(rows.map(toJson), { ...query, total });
  },

  'userAgentRules.create'(context, { body }) {
    const max = userAgentRulesMax[context.zone.plan];
    if (userAgentRuleTable.count(context.sql) >= max)
      throw fault(codes.userAgentRuleQuota, { fill: { max } });
    const rule = readRule(context, context.newId(), body);
    userAgentRuleTable.insert(context.sql, rule);
    context.audit({ resource: 'user_agent_rule', id: rule.id, before: undefined, after: toJson(rule) });
    return ok(toJson(rule));
  },

  'userAgentRules.get'(context, { path }) {
    return ok(toJson(requireRule(context, path['ua_rule_id']!)));
  },

  'userAgentRules.update'(context, { path, body }) {
    const before = requireRule(context, path['ua_rule_id']!);
    const { id } = before;
    const rule = readRule(context, id, body);
    userAgentRuleTable.update(context.sql, rule);
    context.audit({ resource: 'user_agent_rule', id, before: toJson(before), after: toJson(rule) });
    return ok(toJson(rule));
  },

  'userAgentRules.delete'(context, { path }) {
    const before = requireRule(context, path['ua_rule_id']!);
    const { id } = before;
    userAgentRuleTable.remove(context.sql, id);
    context.audit({ resource: 'user_agent_rule', id, before: toJson(before), after: undefined });
    return ok({ id });
  },
};

function requireRule({ sql }: ZoneContext, id: string): UserAgentRule {
  const rule = userAgentRuleTable.get(sql, id);
  if (rule === undefined) throw fault(codes.userAgentRuleNotFound, { fill: { rule: id } });
  return rule;
}

function readRule(
  { sql }: ZoneContext,
  id: string,
  { mode, configuration, description, paused = false }: InputOf<'userAgentRules.create'>['body'],
): UserAgentRule {
  const { value: userAgent } = configuration;
  const [same] = userAgentRuleTable.select(sql, 'WHERE user_agent = ? AND id <> ?', userAgent, id);
  if (same !== undefined)
    throw fault(codes.userAgentRuleDuplicate, { pointer: '/configuration/value', id: same.id });
  return { id, isPaused: paused, description: description ?? '', mode, userAgent };
}

function toJson({ id, isPaused, description, mode, userAgent }: UserAgentRule): Result<'userAgentRules.get'> {
  return {
    id,
    paused: isPaused,
    // Provider 5 replaces a rule that was created without a description but has an empty one.
    ...(description === '' ? {} : { description }),
    mode,
    configuration: { target: 'ua', value: userAgent },
  };
}

/**
 * Operations on rate limits in the form before rulesets. Each is a rule of the phase `http_ratelimit`, in the same
 * versions and the same audit log; the body that was sent is stored beside it, so that clients read back what they
 * wrote. If the rule has changed since, it is no longer such a rate limit.
 */
import {
  addRule,
  checkEntryPointChange,
  checkRuleAddition,
  checkRuleEdit,
  type Checked,
  createRuleset,
  editRule,
  entryPointDraft,
  removeRule,
  type Ruleset,
  type RulesetRule,
} from '#rulesets';
import { entryOf, fault, ok, pageOf, rateLimitCodes as codes, type Result } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { rateLimitTable, type SentRateLimit } from '../../stores/rate-limits.ts';
import { RulesetStore } from '../../stores/rulesets.ts';
import { commit, createStamp } from '../rulesets/commit.ts';
import { createZoneLevel } from '../rulesets/ruleset-level.ts';
import { roundPeriod, toRule } from './to-rule.ts';

const phase = 'http_ratelimit';

export const rateLimitHandlers: Handlers<ZoneContext, 'rateLimits'> = {
  'rateLimits.list'(context, { query }) {
    return pageOf(listLimits(context).map(toJson), query);
  },

  'rateLimits.create'(context, { body }) {
    const rule = readRule(context, body);
    refuseDuplicate(context, rule, undefined);
    const level = createZoneLevel(context);
    const before = findRuleset(context);
    const stamp = createStamp(context);
    const next =
      before === undefined
        ? createRuleset(
            entryPointDraft(
              { level: 'zone', phase },
              accept(checkEntryPointChange({ rules: [rule] }, { phase, current: undefined }, level.checks)),
            ),
            stamp,
          )
        : addRule(
            before,
            accept(checkRuleAddition({ ...rule, position: { index: 1 } }, before, level.checks)),
            stamp,
          );
    commit(level, { before, next, body: 'rule', isDryRun: false });
    const [added] = next.rules;
    return keep(context, added!, body);
  },

  'rateLimits.get'(context, { path }) {
    return ok(toJson(requireLimit(context, path['rate_limit_id']!)));
  },

  'rateLimits.update'(context, { path, body }) {
    const { rule } = requireLimit(context, path['rate_limit_id']!);
    const content = readRule(context, body);
    refuseDuplicate(context, content, rule.id);
    const level = createZoneLevel(context);
    const before = findRuleset(context)!;
    const at = { ruleset: before, ruleId: rule.id };
    const edit = accept(checkRuleEdit({ ...content, ref: rule.ref }, at, level.checks));
    const next = editRule(before, { ruleId: rule.id, edit }, createStamp(context));
    commit(level, { before, next, body: 'rule', isDryRun: false });
    return keep(
      context,
      next.rules.find(({ id }) => id === rule.id)!,
      body,
    );
  },

  'rateLimits.delete'(context, { path }) {
    const { rule } = requireLimit(context, path['rate_limit_id']!);
    const before = findRuleset(context)!;
    const next = removeRule(before, rule.id, createStamp(context));
    commit(createZoneLevel(context), { before, next, body: 'nothing', isDryRun: false });
    rateLimitTable.remove(context.sql, rule.id);
    return ok({ id: rule.id });
  },
};

interface Limit {
  readonly rule: RulesetRule;
  readonly sent: SentRateLimit;
}

function findRuleset({ sql }: ZoneContext): Ruleset | undefined {
  return new RulesetStore(sql).findEntryPoint(phase);
}

function listLimits(context: ZoneContext): Limit[] {
  const kept = new Map(rateLimitTable.list(context.sql).map(({ id, sent }) => [id, sent]));
  return (findRuleset(context)?.rules ?? []).flatMap((rule) => {
    const sent = kept.get(rule.id);
    return sent !== undefined && saysTheSame(context, rule, sent) ? [{ rule, sent }] : [];
  });
}

/** Whether a rate limit can express the current rule. */
function saysTheSame({ zone }: ZoneContext, rule: RulesetRule, sent: SentRateLimit): boolean {
  const written = toRule(sent, zone.plan) as Pick<RulesetRule, 'action' | 'expression' | 'ratelimit'>;
  const { counting_expression: counted = '', period, characteristics } = written.ratelimit!;
  return (
    rule.action === written.action &&
    rule.expression === written.expression &&
    (rule.ratelimit?.counting_expression ?? '') === counted &&
    rule.ratelimit?.period === period &&
    characteristics.every((each) => rule.ratelimit!.characteristics.includes(each)) &&
    rule.ratelimit.requests_per_period !== undefined
  );
}

function requireLimit(context: ZoneContext, id: string): Limit {
  const limit = listLimits(context).find(({ rule }) => rule.id === id);
  if (limit === undefined) throw fault(codes.rateLimitNotFound, { fill: { limit: id } });
  return limit;
}

function readRule({ zone }: ZoneContext, sent: SentRateLimit): RulesetRule {
  const { mode, timeout } = sent.action;
  const refuse = (pointer: string, reason: string): never => {
    throw fault(codes.rateLimitInvalid, { pointer, fill: { reason } });
  };
  const isTimed = mode === 'ban' || mode === 'simulate';
  if (isTimed && !timeout) refuse('/action/timeout', `the mode ${mode} needs a timeout`);
  if (isTimed && timeout! < sent.period)
    refuse('/action/timeout', 'the timeout must not be below the period');
  if (!isTimed && timeout) refuse('/action/timeout', `the mode ${mode} has no timeout`);
  try {
    return toRule(sent, zone.plan) as RulesetRule;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse('/match/request/url', error.message);
  }
}

/** Reports the problems of the rule in terms of the rate limit. */
function accept<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw fault(codes.rateLimitRefused, { fill: { reason: checked.problems[0]!.message } });
}

function refuseDuplicate(context: ZoneContext, { expression }: RulesetRule, ownId: string | undefined): void {
  const same = listLimits(context).find(({ rule }) => rule.expression === expression && rule.id !== ownId);
  if (same !== undefined) throw fault(codes.rateLimitDuplicate, { pointer: '/match', id: same.rule.id });
}

function keep(context: ZoneContext, rule: RulesetRule, sent: SentRateLimit) {
  const ids = new Set(findRuleset(context)!.rules.map(({ id }) => id));
  for (const { id } of rateLimitTable.list(context.sql))
    if (!ids.has(id)) rateLimitTable.remove(context.sql, id);
  rateLimitTable.put(context.sql, { id: rule.id, sent });
  const period = roundPeriod(sent.period, context.zone.plan);
  if (period !== sent.period)
    context.addMessage(entryOf(codes.rateLimitRounded, { fill: { period, sent: sent.period } }));
  return ok(toJson({ rule, sent }));
}

/** The numbers and the switch are those of the rule. */
function toJson({ rule, sent }: Limit): Result<'rateLimits.get'> {
  const { requests_per_period, mitigation_timeout } = rule.ratelimit!;
  const { request = {}, response, headers } = sent.match;
  return {
    id: rule.id,
    disabled: !rule.enabled,
    description: rule.description ?? '',
    match: {
      request: {
        methods: request.methods ?? ['_ALL_'],
        schemes: request.schemes ?? ['_ALL_'],
        url: request.url ?? '*',
      },
      ...(response ? { response } : {}),
      ...(headers ? { headers } : {}),
    },
    bypass: sent.bypass ?? [],
    threshold: requests_per_period!,
    period: sent.period,
    action: {
      mode: sent.action.mode,
      ...(mitigation_timeout ? { timeout: mitigation_timeout } : {}),
      ...(sent.action.response ? { response: sent.action.response } : {}),
    },
    ...(sent.correlate ? { correlate: sent.correlate } : {}),
  };
}

/** Operations on IP access rules, the same for a zone, for the account and for a user. */
import { type AccessMode, accessModes, type Plan, readAccessTarget } from '#rulesets';
import {
  accessRuleCodes as codes,
  type AccessRuleRows,
  authCodes,
  fault,
  type Input,
  type InputOf,
  ok,
  page,
  type Reply,
  type Result,
  type ResultOf,
} from '#contract';
import type { Context, Handlers, ZoneContext } from '../../context/handler.ts';
import { accessRulesMax } from '../../context/limits.ts';
import { contains, toRange } from '../../context/tables/table.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import { type AccessRule, accessRuleTable } from '../../stores/access-rules.ts';
import { bindHandlers } from '../bind-handlers.ts';

type Scope = Result<'accessRules.get'>['scope'];

/** The owner of the rules that a call is about. */
interface Level {
  readonly context: Context;
  readonly kind: AccessRule['scope'];
  readonly scope: Scope;
  readonly plan: Plan;
}

type LevelHandlers = {
  readonly [Verb in keyof AccessRuleRows]: (
    level: Level,
    input: Input<AccessRuleRows[Verb]>,
  ) => Reply<ResultOf<AccessRuleRows[Verb]>>;
};

const handlers: LevelHandlers = {
  list(level, { query }) {
    const { context, scope } = level;
    const { where, values } = toConditions(query);
    const all = [scope.id, ...values];
    const order = query.order === undefined ? 'sequence' : orderColumns[query.order];
    const direction = query.direction ?? (query.order === undefined ? 'desc' : 'asc');
    const rows = accessRuleTable.select(
      context.sql,
      `${where} ORDER BY ${order} ${direction} LIMIT ? OFFSET ?`,
      ...all,
      ...toRange(query),
    );
    const total = accessRuleTable.count(context.sql, where, ...all);
    return page(
      rows.map((rule) => toJson(level, rule)),
      { ...query, total },
    );
  },

  create(level, { body }) {
    const { context, kind, scope } = level;
    const { sql, nowMs } = context;
    const { target, value: sent } = body.configuration;
    const read = readAccessTarget(target, sent);
    if (!read.ok)
      throw fault(codes.accessRuleInvalid, {
        pointer: '/configuration/value',
        fill: { reason: read.reason },
      });
    checkEntitled(level, target, body.mode);
    const { value, key } = read;
    const [same] = accessRuleTable.select(sql, 'WHERE owner_id = ? AND key = ?', scope.id, key);
    if (same !== undefined)
      throw fault(codes.accessRuleDuplicate, { pointer: '/configuration', id: same.id });
    if (accessRuleTable.hasAtLeast(sql, accessRulesMax))
      throw fault(codes.accessRuleQuota, { fill: { max: accessRulesMax } });
    const rule: AccessRule = {
      id: context.newId(),
      scope: kind,
      ownerId: scope.id,
      target,
      value,
      key,
      mode: body.mode,
      notes: body.notes ?? '',
      createdAtMs: nowMs,
      modifiedAtMs: nowMs,
    };
    accessRuleTable.insert(sql, rule);
    const after = toJson(level, rule);
    context.audit({ resource: 'access_rule', id: rule.id, before: undefined, after });
    return ok(after);
  },

  get(level, { path }) {
    return ok(toJson(level, requireRule(level, path)));
  },

  edit(level, { path, body }) {
    const { context } = level;
    const before = requireRule(level, path);
    const { configuration, mode = before.mode, notes = before.notes } = body;
    if (configuration !== undefined) {
      const read = readAccessTarget(configuration.target, configuration.value);
      if (!read.ok || read.key !== before.key)
        throw fault(codes.accessRuleFixed, { pointer: '/configuration' });
    }
    checkEntitled(level, before.target, mode);
    const rule: AccessRule = { ...before, mode, notes, modifiedAtMs: context.nowMs };
    accessRuleTable.update(context.sql, rule);
    const after = toJson(level, rule);
    context.audit({ resource: 'access_rule', id: rule.id, before: toJson(level, before), after });
    return ok(after);
  },

  delete(level, { path }) {
    const { context } = level;
    const before = requireRule(level, path);
    accessRuleTable.remove(context.sql, before.id);
    context.audit({
      resource: 'access_rule',
      id: before.id,
      before: toJson(level, before),
      after: undefined,
    });
    return ok({ id: before.id });
  },
};

export const accessRuleHandlers: Handlers<ZoneContext, 'accessRules'> = bindHandlers(
  'accessRules',
  handlers,
  (context: ZoneContext): Level => {
    const { id, name, plan } = context.zone;
    return { context, kind: 'zone', scope: { id, name, type: 'zone' }, plan };
  },
);

export const accountAccessRuleHandlers: Handlers<Context, 'accountAccessRules' | 'userAccessRules'> = {
  ...bindHandlers('accountAccessRules', handlers, (context: Context): Level => {
    const { accountId, largestPlan: plan } = context.directory;
    return { context, kind: 'account', scope: { id: accountId, type: 'organization' }, plan };
  }),
  ...bindHandlers('userAccessRules', handlers, (context: Context): Level => {
    const { userId: id, email } = context.actor;
    // A token of the account belongs to no user.
    if (id === '') throw fault(authCodes.notPermitted);
    const plan = context.directory.largestPlan;
    return { context, kind: 'user', scope: { id, email, type: 'user' }, plan };
  }),
};

const orderColumns = {
  'configuration.target': 'target',
  'configuration.value': 'value',
  mode: 'mode',
} as const;

/** The owner is always a condition; its value comes first. */
function toConditions(query: InputOf<'accessRules.list'>['query']): {
  readonly where: string;
  readonly values: readonly string[];
} {
  const asked: readonly (readonly [condition: string, value: string | undefined])[] = [
    ['mode = ?', query.mode],
    [contains('notes'), query.notes],
    ['target = ?', query['configuration.target'] ?? query.configuration_target],
    ['upper(value) = upper(?)', query['configuration.value'] ?? query.configuration_value],
  ];
  const given = asked.flatMap(([condition, value]) => (value ? [[condition, value] as const] : []));
  const joined = given.map(([condition]) => condition).join(query.match === 'any' ? ' OR ' : ' AND ');
  return {
    where: `WHERE owner_id = ?${joined === '' ? '' : ` AND (${joined})`}`,
    values: given.map(([, each]) => each),
  };
}

function requireRule({ context, scope }: Level, path: Input['path']): AccessRule {
  const id = path['rule_id']!;
  const rule = accessRuleTable.get(context.sql, id);
  if (rule === undefined || rule.ownerId !== scope.id)
    throw fault(codes.accessRuleNotFound, { fill: { rule: id } });
  return rule;
}

function listAllowedModes({ plan }: Level, target: AccessRule['target']): readonly AccessMode[] {
  return target === 'country' && plan !== 'enterprise'
    ? accessModes.filter((mode) => mode !== 'block')
    : accessModes;
}

function checkEntitled(level: Level, target: AccessRule['target'], mode: AccessMode): void {
  if (listAllowedModes(level, target).includes(mode)) return;
  const reason = 'blocking a country needs the Enterprise plan';
  throw fault(codes.accessRuleNotEntitled, { pointer: '/mode', fill: { reason } });
}

function toJson(level: Level, rule: AccessRule): Result<'accessRules.get'> {
  const { id, target, value, mode, notes, createdAtMs, modifiedAtMs } = rule;
  return {
    id,
    modified_on: toMicroseconds(modifiedAtMs),
    allowed_modes: listAllowedModes(level, target),
    mode,
    notes,
    configuration: { target, value },
    scope: level.scope,
    created_on: toMicroseconds(createdAtMs),
  };
}

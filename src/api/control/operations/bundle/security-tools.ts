/** IP access rules, zone lockdown and user agent rules of a zone, as a part of its bundle. */
import { isDeepStrictEqual } from 'node:util';
import { formatPagePattern, readAccessTarget, readPagePattern } from '#rulesets';
import { accessRuleTable } from '../../stores/access-rules.ts';
import { lockdownTable } from '../../stores/lockdowns.ts';
import { userAgentRuleTable } from '../../stores/user-agent-rules.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { accessRuleHandlers } from '../access-rules/access-rule-handlers.ts';
import { lockdownHandlers } from '../lockdowns/lockdown-handlers.ts';
import { userAgentRuleHandlers } from '../user-agent-rules/user-agent-rule-handlers.ts';
import type { Bundle } from './bundle-part.ts';
import { type ImportRun, runWithin } from './import-run.ts';

type Tools = NonNullable<Bundle['security_tools']>;

/** Undefined if the zone has none of them. The oldest come first, so that an import creates them in the same order. */
export function readSecurityTools(sql: Sql): Tools | undefined {
  const tools = {
    access_rules: accessRuleTable.select(sql, 'ORDER BY sequence').map(({ mode, target, value, notes }) => ({
      mode,
      configuration: { target, value },
      notes,
    })),
    lockdowns: lockdownTable.select(sql, 'ORDER BY sequence').map((rule) => {
      const { urls, configurations, description, isPaused, priority } = rule;
      return { urls, configurations, description, paused: isPaused, priority };
    }),
    user_agent_rules: userAgentRuleTable.select(sql, 'ORDER BY sequence').map((rule) => {
      const { mode, userAgent, description, isPaused } = rule;
      const configuration = { target: 'ua' as const, value: userAgent };
      return { mode, configuration, description, paused: isPaused };
    }),
  };
  return Object.values(tools).some(({ length }) => length > 0) ? tools : undefined;
}

export function importSecurityTools(run: ImportRun, given: Tools): void {
  const { context } = run;
  const none: Tools = { access_rules: [], lockdowns: [], user_agent_rules: [] };
  const own = readSecurityTools(context.sql) ?? none;
  const input = { query: {}, path: {} };
  const removal = { query: {}, body: undefined };
  importKind(run, 'access_rules', {
    own: own.access_rules,
    given: given.access_rules,
    keyOf: ({ configuration: { target, value } }) => {
      const read = readAccessTarget(target, value);
      return read.ok ? read.key : value;
    },
    listIds: () => accessRuleTable.pick(context.sql, 'id', 'ORDER BY sequence'),
    create: (body) => accessRuleHandlers['accessRules.create'](context, { ...input, body }),
    remove: (rule_id) => accessRuleHandlers['accessRules.delete'](context, { ...removal, path: { rule_id } }),
  });
  importKind(run, 'lockdowns', {
    own: own.lockdowns,
    given: given.lockdowns,
    keyOf: ({ urls }) => JSON.stringify(urls.map(normaliseUrl).toSorted()),
    listIds: () => lockdownTable.pick(context.sql, 'id', 'ORDER BY sequence'),
    create: (body) => lockdownHandlers['lockdowns.create'](context, { ...input, body }),
    remove: (lock_downs_id) =>
      lockdownHandlers['lockdowns.delete'](context, { ...removal, path: { lock_downs_id } }),
  });
  importKind(run, 'user_agent_rules', {
    own: own.user_agent_rules,
    given: given.user_agent_rules,
    keyOf: ({ configuration }) => configuration.value,
    listIds: () => userAgentRuleTable.pick(context.sql, 'id', 'ORDER BY sequence'),
    create: (body) => userAgentRuleHandlers['userAgentRules.create'](context, { ...input, body }),
    remove: (ua_rule_id) =>
      userAgentRuleHandlers['userAgentRules.delete'](context, { ...removal, path: { ua_rule_id } }),
  });
}

interface Kind<Item> {
  /** In the order of `listIds`. */
  readonly own: readonly Item[] | undefined;
  readonly given: readonly Item[] | undefined;
  readonly keyOf: (item: Item) => string;
  readonly listIds: () => readonly string[];
  readonly create: (item: Item) => unknown;
  readonly remove: (id: string) => unknown;
}

/** A merge keeps the zone's items about the same subject; a replacement keeps equal items. */
function importKind<Item>(run: ImportRun, kind: keyof Tools, work: Kind<Item>): void {
  const { own = [], given = [], keyOf, listIds, create, remove } = work;
  const tally = run.getTally(kind);
  const kept = new Set<string>();
  const ids = listIds();
  for (const [index, item] of own.entries()) {
    const same = given.some((each) => isDeepStrictEqual(withoutAbsent(each), withoutAbsent(item)));
    if (run.mode === 'merge' || same) kept.add(keyOf(item));
    else {
      remove(ids[index]!);
      tally.removed++;
    }
  }
  for (const [index, item] of given.entries()) {
    const isThere = kept.has(keyOf(item));
    if (!isThere) runWithin(`/security_tools/${kind}/${index}`, () => create(item));
    tally[isThere ? 'kept' : 'added']++;
  }
}

/** An absent field, or null, means the default. */
function withoutAbsent(item: unknown): object {
  return Object.fromEntries(
    Object.entries(item as object).filter(([, value]) => value !== null && value !== '' && value !== false),
  );
}

function normaliseUrl(url: string): string {
  const read = readPagePattern(url);
  return read.ok ? formatPagePattern(read.pattern) : url;
}

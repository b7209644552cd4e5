/** User agent rules as rows of the zone's database. */
import type { ConfiguredUserAgentRule } from '#firewall';
import { flag, text } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { contains, type RowOf, Table } from '../context/tables/table.ts';

export const userAgentRuleTable = new Table('user_agent_rules', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    isPaused: flag(),
    description: text(),
    mode: text<ConfiguredUserAgentRule['mode']>(),
    userAgent: text({ isUnique: true }),
  },
  order: 'sequence DESC',
  filters: {
    description: contains('description'),
    paused: 'paused = ?',
    user_agent: contains('user_agent'),
  },
});

export type UserAgentRule = RowOf<typeof userAgentRuleTable>;

/** Undefined if none is in force. */
export function readConfiguredUserAgentRules(sql: Sql): ConfiguredUserAgentRule[] | undefined {
  const rules = userAgentRuleTable.list(sql).flatMap(({ isPaused, ...rule }) => (isPaused ? [] : [rule]));
  return rules.length === 0 ? undefined : rules;
}

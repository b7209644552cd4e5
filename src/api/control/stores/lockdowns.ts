/** Zone lockdown rules as rows of the zone's database. */
import type { ConfiguredLockdown } from '#firewall';
import { flag, json, nullable, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { contains, type RowOf, Table } from '../context/tables/table.ts';

export interface LockdownConfiguration {
  readonly target: 'ip' | 'ip_range';
  readonly value: string;
}

export const lockdownTable = new Table('lockdowns', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    isPaused: flag(),
    description: text(),
    urls: json<readonly string[]>(),
    /** Identical for rules about the same URLs. */
    urlsKey: text({ isUnique: true }),
    configurations: json<readonly LockdownConfiguration[]>(),
    priority: nullable(whole()),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
  },
  /** The order of evaluation: those without a priority come last. */
  order: 'priority IS NULL, priority, sequence',
  filters: {
    description: contains('description'),
    uri_search: contains('urls'),
    ip: `EXISTS (SELECT 1 FROM json_each(configurations) WHERE json_extract(value, '$.value') = ?)`,
  },
});

export type Lockdown = RowOf<typeof lockdownTable>;

/** Undefined if none is in force. */
export function readConfiguredLockdowns(sql: Sql): ConfiguredLockdown[] | undefined {
  const rules = lockdownTable.list(sql).flatMap(({ id, isPaused, description, urls, configurations }) => {
    const networks = configurations.map(({ value }) => value);
    return isPaused ? [] : [{ id, description, urls, networks }];
  });
  return rules.length === 0 ? undefined : rules;
}

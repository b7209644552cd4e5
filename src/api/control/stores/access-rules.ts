/** IP access rules, in the database of their zone, or in that of the account for those of the account and of users. */
import type { AccessMode, AccessTarget } from '#rulesets';
import type { ConfiguredAccessRule } from '#firewall';
import { text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

export const accessRuleTable = new Table('access_rules', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    scope: text<ConfiguredAccessRule['scope']>(),
    /** The id of the zone, the account or the user. */
    ownerId: text(),
    target: text<AccessTarget>(),
    /** In the form that clients see. */
    value: text(),
    /** Identical for equivalent targets. */
    key: text(),
    mode: text<AccessMode>(),
    notes: text(),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
  },
  order: 'sequence DESC',
  attached: ['CREATE UNIQUE INDEX IF NOT EXISTS access_rules_by_key ON access_rules (owner_id, key)'],
});

export type AccessRule = RowOf<typeof accessRuleTable>;

/** The part of the notes that the edge gets for its events: 50,000 rules still fit into one answer between objects. */
const notesCharactersAtEdge = 100;

/** Undefined if there are none. Those of the account come before those of its users. */
export function readConfiguredAccessRules(sql: Sql): ConfiguredAccessRule[] | undefined {
  const rules = accessRuleTable
    .select(sql, "ORDER BY scope = 'user', sequence")
    .map(({ id, scope, target, key, mode, notes }) => ({
      id,
      scope,
      target,
      key,
      mode,
      notes: notes.slice(0, notesCharactersAtEdge),
    }));
  return rules.length === 0 ? undefined : rules;
}

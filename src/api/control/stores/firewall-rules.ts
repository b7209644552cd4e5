/** Firewall rules as rows of the zone's database, each read together with its filter. */
import { actionPrecedence, type FirewallRuleAction, type Product } from '#rulesets';
import { type Column, flag, nullable, type Stored, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { contains, type Page, type QueryOf, type RowOf, Table, toRange } from '../context/tables/table.ts';
import { type Filter, filterTable } from './filters.ts';

/** The same precedence as in `compareFirewallRules`. */
const precedence = Object.entries(actionPrecedence)
  .map(([action, place]) => `WHEN '${action}' THEN ${place}`)
  .join(' ');
const evaluationOrder = `priority IS NULL, priority, CASE action ${precedence} END`;

/** Joined by commas: each product once, in the order in which the client sent them. */
const products: Column<readonly Product[]> = {
  type: 'TEXT NOT NULL',
  read: (joined) => (joined === '' ? [] : ((joined as string).split(',') as Product[])),
  write: (each) => each.join(),
};

export const firewallRuleTable = new Table('firewall_rules', {
  sequence: 'rowid',
  columns: {
    id: text({ isUnique: true }),
    /** The id outlives the filter. */
    filterId: text(),
    action: text<FirewallRuleAction>(),
    products,
    priority: nullable(whole()),
    isPaused: flag(),
    description: nullable(text()),
    ref: nullable(text()),
    /** RFC 3339, to the second. */
    createdOn: text(),
    modifiedOn: text(),
  },
  attached: [
    'CREATE INDEX IF NOT EXISTS firewall_rules_by_filter ON firewall_rules (filter_id)',
    // The primary key, which ends every index, is the last part of the sort order.
    `CREATE INDEX IF NOT EXISTS firewall_rules_in_order ON firewall_rules (${evaluationOrder})`,
  ],
  filters: {
    id: 'firewall_rules.id = ?',
    action: 'action = ?',
    description: contains('firewall_rules.description'),
    paused: 'firewall_rules.paused = ?',
  },
});

export type FirewallRule = RowOf<typeof firewallRuleTable> & {
  /** Undefined after the filter was deleted: the rule still exists and matches no request. */
  readonly filter: Filter | undefined;
};

const filterColumns = filterTable.columnNames.split(', ').map((name) => `filters.${name} AS filters_${name}`);
const rulesWithFilters = `SELECT firewall_rules.*, ${filterColumns.join(', ')}
  FROM firewall_rules LEFT JOIN filters ON filters.id = firewall_rules.filter_id`;
const inOrder = `ORDER BY ${evaluationOrder}, firewall_rules.sequence`;

export class FirewallRuleStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): FirewallRule | undefined {
    return this.#select('WHERE firewall_rules.id = ?', id)[0];
  }

  count(): number {
    return firewallRuleTable.count(this.#sql);
  }

  hasRoomFor(more: number, max: number): boolean {
    return more === 0 || !firewallRuleTable.hasAtLeast(this.#sql, max - more + 1);
  }

  /** The rules that refer to a filter, oldest first. */
  findUsing(filterId: string): RowOf<typeof firewallRuleTable>[] {
    return firewallRuleTable.select(this.#sql, 'WHERE filter_id = ? ORDER BY sequence', filterId);
  }

  isUsing(filterId: string): boolean {
    return firewallRuleTable.pick(this.#sql, 'id', 'WHERE filter_id = ? LIMIT 1', filterId).length > 0;
  }

  /** The id of another rule with the same effect at the same place in the order. */
  findTwin(rule: FirewallRule): string | undefined {
    const key = toTwinKey(rule);
    return this.findUsing(rule.filterId).find((each) => each.id !== rule.id && toTwinKey(each) === key)?.id;
  }

  add(rule: FirewallRule): void {
    firewallRuleTable.insert(this.#sql, rule);
  }

  replace(rule: FirewallRule): void {
    firewallRuleTable.update(this.#sql, rule);
  }

  remove(id: string): void {
    firewallRuleTable.remove(this.#sql, id);
  }

  /** Every rule in order of evaluation, including paused ones. */
  listInOrder(): FirewallRule[] {
    return this.#select(inOrder);
  }

  /** In order of evaluation. */
  search(query: QueryOf<typeof firewallRuleTable> & Page) {
    const { where, values } = firewallRuleTable.toConditions(query);
    return {
      total: firewallRuleTable.count(this.#sql, where, ...values),
      rows: this.#select(`${where} ${inOrder} LIMIT ? OFFSET ?`, ...values, ...toRange(query)),
    };
  }

  #select(rest: string, ...values: readonly Stored[]): FirewallRule[] {
    const rows = this.#sql.exec<Record<string, Stored>>(`${rulesWithFilters} ${rest}`, ...values);
    return Array.from(rows, (row) => ({
      ...firewallRuleTable.read(row),
      filter: row['filters_id'] === null ? undefined : filterTable.read(row, 'filters_'),
    }));
  }
}

/**
 * Equal for redundant rules. Products are a set, whatever their order in the request. Rules on one filter that differ
 * in priority or pause are two rules: one of them can be prepared while the other is in force.
 */
export function toTwinKey({
  filterId,
  action,
  products,
  priority,
  isPaused,
}: RowOf<typeof firewallRuleTable>): string {
  return JSON.stringify([filterId, action, products.toSorted(), priority, isPaused]);
}

/** Firewall rules as rows of the zone's database, each read together with its filter. */
import { actionPrecedence, type FirewallRuleAction, type Product } from '#firewall';
import { Conditions } from '../context/conditions.ts';
import type { Filter } from './filter-store.ts';
import type { Sql } from '../context/sql.ts';

/** The same precedence as in `compareFirewallRules`. */
const precedence = Object.entries(actionPrecedence)
  .map(([action, place]) => `WHEN '${action}' THEN ${place}`)
  .join(' ');
const evaluationOrder = `priority IS NULL, priority, CASE action ${precedence} END`;

export const firewallRuleTables = [
  // `sequence` is the order of creation. `filter_id` outlives the filter. Products are joined by commas.
  `CREATE TABLE IF NOT EXISTS firewall_rules (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    filter_id TEXT NOT NULL,
    action TEXT NOT NULL,
    products TEXT NOT NULL,
    priority INTEGER,
    paused INTEGER NOT NULL,
    description TEXT,
    ref TEXT,
    created_on TEXT NOT NULL,
    modified_on TEXT NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS firewall_rules_by_filter ON firewall_rules (filter_id)',
  // The primary key, which ends every index, is the last part of the sort order.
  `CREATE INDEX IF NOT EXISTS firewall_rules_in_order ON firewall_rules (${evaluationOrder})`,
];

export interface FirewallRule {
  readonly id: string;
  readonly filterId: string;
  /** Undefined after the filter was deleted: the rule still exists and matches no request. */
  readonly filter: Filter | undefined;
  readonly action: FirewallRuleAction;
  /** Each product once, in the order in which the client sent them. */
  readonly products: readonly Product[];
  readonly priority: number | null;
  readonly isPaused: boolean;
  readonly description: string | null;
  readonly ref: string | null;
  /** RFC 3339, to the second. */
  readonly createdOn: string;
  readonly modifiedOn: string;
}

interface FirewallRuleRow extends Record<string, string | number | null> {
  id: string;
  filter_id: string;
  action: FirewallRuleAction;
  products: string;
  priority: number | null;
  paused: number;
  description: string | null;
  ref: string | null;
  created_on: string;
  modified_on: string;
  filter_expression: string | null;
  filter_paused: number;
  filter_description: string | null;
  filter_ref: string | null;
  filter_inline: number;
}

export interface FirewallRuleQuery {
  readonly id?: string | undefined;
  readonly action?: FirewallRuleAction | undefined;
  readonly description?: string | undefined;
  readonly paused?: boolean | undefined;
}

/** A rule that uses a filter. */
export interface RuleInUse {
  readonly id: string;
  readonly isPaused: boolean;
}

const ownColumns =
  'id, filter_id, action, products, priority, paused, description, ref, created_on, modified_on';
const columns = `rules.*, filters.expression AS filter_expression, filters.paused AS filter_paused,
  filters.description AS filter_description, filters.ref AS filter_ref, filters.inline AS filter_inline`;
const rulesWithFilters = 'firewall_rules AS rules LEFT JOIN filters ON filters.id = rules.filter_id';

export class FirewallRuleStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): FirewallRule | undefined {
    const [row] = this.#sql.exec<FirewallRuleRow>(
      `SELECT ${columns} FROM ${rulesWithFilters} WHERE rules.id = ?`,
      id,
    );
    return row && toRule(row);
  }

  count(): number {
    return this.#sql.exec<{ total: number }>('SELECT count(*) AS total FROM firewall_rules').one().total;
  }

  /** There are never more rows than the largest key, which can be read without counting. */
  hasRoomFor(more: number, max: number): boolean {
    const { last } = this.#sql
      .exec<{ last: number | null }>('SELECT max(sequence) AS last FROM firewall_rules')
      .one();
    return more === 0 || (last ?? 0) + more <= max || this.count() + more <= max;
  }

  isUsing(filterId: string): boolean {
    const rows = this.#sql.exec('SELECT 1 FROM firewall_rules WHERE filter_id = ? LIMIT 1', filterId);
    return Array.from(rows).length > 0;
  }

  /** The rules that refer to a filter, oldest first. */
  findUsing(filterId: string): RuleInUse[] {
    const rows = this.#sql.exec<{ id: string; paused: number }>(
      'SELECT id, paused FROM firewall_rules WHERE filter_id = ? ORDER BY sequence',
      filterId,
    );
    return Array.from(rows, ({ id, paused }) => ({ id, isPaused: paused !== 0 }));
  }

  /** The id of another rule that has the same action on the same filter. */
  findTwin(rule: FirewallRule): string | undefined {
    const rows = this.#sql.exec<{ id: string; products: string }>(
      'SELECT id, products FROM firewall_rules WHERE filter_id = ? AND action = ? AND id <> ? ORDER BY sequence',
      rule.filterId,
      rule.action,
      rule.id,
    );
    const key = toProductsKey(rule.products);
    for (const { id, products } of rows) if (toProductsKey(splitProducts(products)) === key) return id;
    return undefined;
  }

  add(rule: FirewallRule): void {
    this.#sql.exec(
      `INSERT INTO firewall_rules (${ownColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      rule.id,
      rule.filterId,
      rule.action,
      rule.products.join(),
      rule.priority,
      Number(rule.isPaused),
      rule.description,
      rule.ref,
      rule.createdOn,
      rule.modifiedOn,
    );
  }

  replace(rule: FirewallRule): void {
    this.#sql.exec(
      `UPDATE firewall_rules SET filter_id = ?, action = ?, products = ?, priority = ?, paused = ?, description = ?,
        ref = ?, modified_on = ? WHERE id = ?`,
      rule.filterId,
      rule.action,
      rule.products.join(),
      rule.priority,
      Number(rule.isPaused),
      rule.description,
      rule.ref,
      rule.modifiedOn,
      rule.id,
    );
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM firewall_rules WHERE id = ?', id);
  }

  /** Every rule in the order of evaluation, including paused ones. */
  listInOrder(): FirewallRule[] {
    return this.#select(new Conditions(), { offset: 0, limit: -1 });
  }

  /** In the order of evaluation. */
  find(query: FirewallRuleQuery, range: { readonly offset: number; readonly limit: number }) {
    // An empty text is no condition.
    const conditions = new Conditions()
      .add('rules.id = ?', query.id || undefined)
      .add('rules.action = ?', query.action)
      .add('instr(lower(rules.description), lower(?)) > 0', query.description || undefined)
      .add('rules.paused = ?', query.paused);
    const { total } = this.#sql
      .exec<{ total: number }>(
        `SELECT count(*) AS total FROM firewall_rules AS rules ${conditions.where}`,
        ...conditions.values,
      )
      .one();
    return { total, rules: this.#select(conditions, range) };
  }

  #select(
    { where, values }: Conditions,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): FirewallRule[] {
    const rows = this.#sql.exec<FirewallRuleRow>(
      `SELECT ${columns} FROM ${rulesWithFilters} ${where} ORDER BY ${evaluationOrder}, rules.sequence LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    return Array.from(rows, toRule);
  }
}

/** Products are a set, whatever their order in the request. */
export function toProductsKey(products: readonly Product[]): string {
  return [...products].sort().join();
}

function splitProducts(joined: string): Product[] {
  return joined === '' ? [] : (joined.split(',') as Product[]);
}

function toRule(row: FirewallRuleRow): FirewallRule {
  return {
    id: row.id,
    filterId: row.filter_id,
    filter: toFilter(row),
    action: row.action,
    products: splitProducts(row.products),
    priority: row.priority,
    isPaused: row.paused !== 0,
    description: row.description,
    ref: row.ref,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
  };
}

function toFilter(row: FirewallRuleRow): Filter | undefined {
  if (row.filter_expression === null) return undefined;
  return {
    id: row.filter_id,
    expression: row.filter_expression,
    isPaused: row.filter_paused !== 0,
    description: row.filter_description,
    ref: row.filter_ref,
    isInline: row.filter_inline !== 0,
  };
}

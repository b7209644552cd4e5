/** Firewall rules as rows of the zone's database, each read together with its filter. */
import { actionPrecedence, type FirewallRuleAction, type Product } from '#firewall';
import { Conditions } from '../context/tables/conditions.ts';
import { type Filter, filters } from './filter-store.ts';
import type { Sql } from '../context/tables/sql.ts';
import { flag, nullable, type RowOf, Table, text, whole } from '../context/tables/table.ts';

/** The same precedence as in `compareFirewallRules`. */
const precedence = Object.entries(actionPrecedence)
  .map(([action, place]) => `WHEN '${action}' THEN ${place}`)
  .join(' ');
const evaluationOrder = `priority IS NULL, priority, CASE action ${precedence} END`;

const table = new Table('firewall_rules', {
  order: 'sequence INTEGER PRIMARY KEY',
  columns: {
    id: text({ isUnique: true }),
    /** It outlives the filter. */
    filterId: text(),
    action: text<FirewallRuleAction>(),
    /** Joined by commas: each product once, in the order in which the client sent them. */
    products: text(),
    priority: nullable(whole()),
    isPaused: flag(),
    description: nullable(text()),
    ref: nullable(text()),
    /** RFC 3339, to the second. */
    createdOn: text(),
    modifiedOn: text(),
  },
});

export const firewallRuleTables = [
  table.creation,
  'CREATE INDEX IF NOT EXISTS firewall_rules_by_filter ON firewall_rules (filter_id)',
  // The primary key, which ends every index, is the last part of the sort order.
  `CREATE INDEX IF NOT EXISTS firewall_rules_in_order ON firewall_rules (${evaluationOrder})`,
];

export type FirewallRule = Omit<RowOf<typeof table>, 'products'> & {
  /** Undefined after the filter was deleted: the rule still exists and matches no request. */
  readonly filter: Filter | undefined;
  readonly products: readonly Product[];
};

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

const filterColumns = filters.columnNames.split(', ').map((name) => `filters.${name} AS filters_${name}`);
const columns = `rules.*, ${filterColumns.join(', ')}`;
const rulesWithFilters = 'firewall_rules AS rules LEFT JOIN filters ON filters.id = rules.filter_id';

/** With the columns of its filter, which are null if there is none. */
type StoredRule = Record<string, string | number | null>;

export class FirewallRuleStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): FirewallRule | undefined {
    const [row] = this.#sql.exec<StoredRule>(
      `SELECT ${columns} FROM ${rulesWithFilters} WHERE rules.id = ?`,
      id,
    );
    return row && toRule(row);
  }

  count(): number {
    return table.count(this.#sql);
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
    table.insert(this.#sql, { ...rule, products: rule.products.join() });
  }

  replace(rule: FirewallRule): void {
    table.update(this.#sql, { ...rule, products: rule.products.join() });
  }

  remove(id: string): void {
    table.remove(this.#sql, id);
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
    const total = table.count(this.#sql, `AS rules ${conditions.where}`, ...conditions.values);
    return { total, rules: this.#select(conditions, range) };
  }

  #select(
    { where, values }: Conditions,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): FirewallRule[] {
    const rows = this.#sql.exec<StoredRule>(
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

function toRule(row: StoredRule): FirewallRule {
  const { products, ...rule } = table.read(row);
  const filter = row['filters_id'] === null ? undefined : filters.read(row, 'filters_');
  return { ...rule, products: splitProducts(products), filter };
}

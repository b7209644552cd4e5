/**
 * Filters and firewall rules of a zone of the Free plan, as plainly as it can be said. A call that is refused leaves a model
 * that is of no use any more: calls are tried on a copy.
 */
import { compareFirewallRules, type FirewallRuleAction } from '#firewall';
import { nobody } from './firewall-zone.ts';

/** Of the Free plan. */
const rulesMax = 5;

interface ModelFilter {
  readonly id: string;
  expression: string;
  readonly isInline: boolean;
}

interface ModelRule {
  readonly id: string;
  readonly sequence: number;
  filterId: string;
  action: FirewallRuleAction;
  products: readonly string[];
  priority: number | null;
}

export interface GivenRule {
  readonly action: FirewallRuleAction;
  readonly products: readonly string[];
  readonly priority: number | null;
}

/** A filter there is, or an expression to make one of. */
export type GivenFilter = { readonly id: string } | { readonly expression: string };

/** What a call is refused with. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(String(code));
    this.code = code;
  }
}

export class Model {
  filters: ModelFilter[] = [];
  rules: ModelRule[] = [];
  #sequence = 0;
  #ids = 0;

  /** Ids are the server's; until it has told them, any will do. */
  #newId(): string {
    return `made ${this.#ids++}`;
  }

  /** Round and round; a negative number is for what there is not. */
  filterId(which: number): string {
    return this.filters[which % this.filters.length]?.id ?? nobody;
  }

  ruleId(which: number): string {
    return this.rules[which % this.rules.length]?.id ?? nobody;
  }

  inOrder(): ModelRule[] {
    return this.rules.toSorted(compareFirewallRules);
  }

  addFilter(expression: string, isInline: boolean): ModelFilter {
    checkExpression(expression);
    const twin = this.filters.find((filter) => filter.expression === expression);
    if (twin !== undefined) throw new Refusal(twin.id.startsWith('made') ? 10107 : isInline ? 10202 : 10102);
    const filter = { id: this.#newId(), expression, isInline };
    this.filters.push(filter);
    return filter;
  }

  updateFilters(items: readonly { readonly id: string; readonly expression: string }[]): void {
    const seen = new Set<string>();
    for (const { id, expression } of items) {
      if (seen.has(id)) throw new Refusal(10107);
      seen.add(id);
      const filter = this.filters.find((each) => each.id === id);
      if (filter === undefined) throw new Refusal(10001);
      if (filter.isInline) throw new Refusal(10106);
      checkExpression(expression);
      filter.expression = expression;
    }
    if (new Set(this.filters.map(({ expression }) => expression)).size < this.filters.length)
      throw new Refusal(10102);
  }

  deleteFilter(id: string): void {
    if (this.filters.find((filter) => filter.id === id)?.isInline === true) throw new Refusal(10106);
    this.filters = this.filters.filter((filter) => filter.id !== id);
  }

  /** True if the rules found no room, and only their filters were made. */
  createRules(items: readonly { readonly rule: GivenRule; readonly filter: GivenFilter }[]): boolean {
    const drafts: ModelRule[] = [];
    for (const { rule, filter } of items) {
      checkRule(rule);
      const found =
        'id' in filter
          ? this.filters.find(({ id }) => id === filter.id)
          : this.addFilter(filter.expression, true);
      if (found === undefined) throw new Refusal(10204);
      const draft = { ...rule, filterId: found.id, id: this.#newId(), sequence: this.#sequence++ };
      if (hasTwin(this.rules, draft)) throw new Refusal(10203);
      if (hasTwin(drafts, draft)) throw new Refusal(10212);
      drafts.push(draft);
    }
    if (this.rules.length + drafts.length > rulesMax) return true;
    this.rules.push(...drafts);
    return false;
  }

  updateRules(
    items: readonly { readonly id: string; readonly rule: GivenRule; readonly filterId: string }[],
  ): void {
    const seen = new Set<string>();
    for (const { id, rule, filterId } of items) {
      const found = this.#ruleToChange(id, seen);
      checkRule(rule);
      if (!this.filters.some((filter) => filter.id === filterId)) throw new Refusal(10204);
      Object.assign(found, rule, { filterId });
    }
    for (const id of seen) {
      const rule = this.rules.find((each) => each.id === id)!;
      if (hasTwin(this.rules, rule)) throw new Refusal(10203);
    }
  }

  editRules(items: readonly { readonly id: string; readonly priority?: number | null }[]): void {
    const seen = new Set<string>();
    for (const { id, priority } of items) {
      const found = this.#ruleToChange(id, seen);
      if (priority !== undefined) found.priority = priority;
    }
  }

  deleteRule(id: string, isFilterToo: boolean): void {
    const rule = this.rules.find((each) => each.id === id);
    this.rules = this.rules.filter((each) => each !== rule);
    if (rule === undefined || !isFilterToo) return;
    if (this.rules.some(({ filterId }) => filterId === rule.filterId)) return;
    this.filters = this.filters.filter((filter) => filter.id !== rule.filterId);
  }

  /** Takes over the ids that the server gave, in the order in which they were made. */
  learn(filterIds: readonly string[], ruleIds: readonly string[]): void {
    const real = new Map<string, string>();
    const made = ({ id }: { readonly id: string }): boolean => id.startsWith('made');
    for (const [index, { id }] of this.filters.filter(made).entries()) real.set(id, filterIds[index]!);
    for (const [index, { id }] of this.rules.filter(made).entries()) real.set(id, ruleIds[index]!);
    const known = (id: string): string => real.get(id) ?? id;
    this.filters = this.filters.map((filter) => ({ ...filter, id: known(filter.id) }));
    this.rules = this.rules.map((rule) => ({ ...rule, id: known(rule.id), filterId: known(rule.filterId) }));
  }

  copy(): Model {
    const copy = new Model();
    copy.filters = structuredClone(this.filters);
    copy.rules = structuredClone(this.rules);
    copy.#sequence = this.#sequence;
    return copy;
  }

  #ruleToChange(id: string, seen: Set<string>): ModelRule {
    if (seen.has(id)) throw new Refusal(10212);
    seen.add(id);
    const found = this.rules.find((rule) => rule.id === id);
    if (found === undefined) throw new Refusal(10201);
    return found;
  }
}

function checkExpression(expression: string): void {
  if (expression === 'nosuch') throw new Refusal(10103);
  if (expression.includes('matches')) throw new Refusal(10105);
}

function checkRule({ action, products }: GivenRule): void {
  if (action === 'log') throw new Refusal(10206);
  if (action !== 'bypass' && products.length > 0) throw new Refusal(10207);
  if (action === 'bypass' && products.length === 0) throw new Refusal(10208);
}

function hasTwin(rules: readonly ModelRule[], rule: ModelRule): boolean {
  const key = ({ filterId, action, products }: ModelRule): string =>
    JSON.stringify([filterId, action, products.toSorted()]);
  return rules.some((other) => other.id !== rule.id && key(other) === key(rule));
}

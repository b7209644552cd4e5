/**
 * A minimal model of the filters and firewall rules of a zone of the Free plan. A refused call leaves the model
 * inconsistent, so calls are tried on a copy.
 */
import { compareFirewallRules, type FirewallRuleAction } from '#rulesets';
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

/** An existing filter, or an expression to create one from. */
export type GivenFilter = { readonly id: string } | { readonly expression: string };

/** The errors of a refused call, in the order in which the server reports them. */
export class RefusedCall extends Error {
  readonly codes: readonly number[];

  constructor(codes: readonly number[]) {
    super(codes.join());
    this.codes = codes;
  }
}

function refuseAny(codes: readonly number[]): void {
  if (codes.length > 0) throw new RefusedCall(codes);
}

export class Model {
  filters: ModelFilter[] = [];
  rules: ModelRule[] = [];
  #sequence = 0;
  #ids = 0;

  /** The server assigns ids; until they are known, any value will do. */
  #newId(): string {
    return `made ${this.#ids++}`;
  }

  /** Modulo the number of items; a negative number means one that does not exist. */
  filterId(which: number): string {
    return this.filters[which % this.filters.length]?.id ?? nobody;
  }

  ruleId(which: number): string {
    return this.rules[which % this.rules.length]?.id ?? nobody;
  }

  inOrder(): ModelRule[] {
    return this.rules.toSorted(compareFirewallRules);
  }

  isUsed(filterId: string): boolean {
    return this.rules.some((rule) => rule.filterId === filterId);
  }

  createFilters(expressions: readonly string[]): void {
    const wrong: number[] = [];
    for (const expression of expressions) {
      const twin = this.filters.find((filter) => filter.expression === expression);
      const problem = flawOf(expression) ?? (twin && (isMade(twin) ? 10107 : 10102));
      if (problem === undefined) this.#addFilter(expression, false);
      else wrong.push(problem);
    }
    refuseAny(wrong);
  }

  updateFilters(items: readonly { readonly id: string; readonly expression: string }[]): void {
    const wrong: number[] = [];
    const seen = new Set<string>();
    const changed = new Set<ModelFilter>();
    for (const { id, expression } of items) {
      const filter = this.filters.find((each) => each.id === id);
      const problems = [seen.has(id) ? 10107 : this.#lockOf(filter), flawOf(expression)].filter(isNumber);
      seen.add(id);
      wrong.push(...problems);
      if (problems.length > 0) continue;
      filter!.expression = expression;
      changed.add(filter!);
    }
    for (const filter of changed) {
      const twin = this.filters.find((each) => each !== filter && each.expression === filter.expression);
      if (twin !== undefined && (changed.has(twin) || !seen.has(twin.id))) wrong.push(10102);
    }
    refuseAny(wrong);
  }

  deleteFilters(ids: readonly string[]): void {
    const isLocked = (id: string): boolean =>
      this.#lockOf(this.filters.find((filter) => filter.id === id)) === 10106;
    refuseAny(ids.filter(isLocked).map(() => 10106));
    this.filters = this.filters.filter((filter) => !ids.includes(filter.id));
  }

  /** True if the rules exceeded the quota, and only their filters were created. */
  createRules(items: readonly { readonly rule: GivenRule; readonly filter: GivenFilter }[]): boolean {
    const wrong: number[] = [];
    const drafts: ModelRule[] = [];
    const named = items.flatMap(({ filter }) => ('id' in filter ? filter.id : []));
    const own = new Set<string>();
    for (const { rule, filter } of items) {
      const problems = flawsOf(rule);
      const found =
        'id' in filter
          ? (this.filters.find(({ id }) => id === filter.id) ?? 10204)
          : this.#filterWith(filter.expression, { named, own });
      if (typeof found === 'number') problems.push(found);
      else if (!('id' in filter)) own.add(found.id);
      wrong.push(...problems);
      if (typeof found === 'number' || problems.length > 0) continue;
      const draft = { ...rule, filterId: found.id, id: this.#newId(), sequence: this.#sequence++ };
      if (hasTwin(this.rules, draft)) wrong.push(10203);
      else if (hasTwin(drafts, draft)) wrong.push(10212);
      else drafts.push(draft);
    }
    refuseAny(wrong);
    if (this.rules.length + drafts.length > rulesMax) return true;
    this.rules.push(...drafts);
    return false;
  }

  updateRules(
    items: readonly { readonly id: string; readonly rule: GivenRule; readonly filterId: string }[],
  ): void {
    const wrong: number[] = [];
    const seen = new Set<string>();
    const changed = new Set<ModelRule>();
    for (const { id, rule, filterId } of items) {
      const found = this.rules.find((each) => each.id === id);
      const problems = [seen.has(id) ? 10212 : found === undefined ? 10201 : undefined, ...flawsOf(rule)];
      if (!this.filters.some((filter) => filter.id === filterId)) problems.push(10204);
      seen.add(id);
      const known = problems.filter(isNumber);
      wrong.push(...known);
      if (known.length > 0) continue;
      Object.assign(found!, rule, { filterId });
      changed.add(found!);
    }
    const standing = this.rules.filter((rule) => changed.has(rule) || !seen.has(rule.id));
    for (const rule of changed) if (hasTwin(standing, rule)) wrong.push(10203);
    refuseAny(wrong);
  }

  editRules(items: readonly { readonly id: string; readonly priority?: number | null }[]): void {
    const wrong: number[] = [];
    const seen = new Set<string>();
    const standing = new Set<ModelRule>();
    const changed = new Set<ModelRule>();
    for (const { id, priority } of items) {
      const found = this.rules.find((each) => each.id === id);
      if (seen.has(id)) wrong.push(10212);
      else if (found === undefined) wrong.push(10201);
      else if (priority !== undefined && found.priority !== priority) {
        found.priority = priority;
        changed.add(found);
      }
      seen.add(id);
      if (found !== undefined) standing.add(found);
    }
    const others = this.rules.filter((rule) => standing.has(rule) || !seen.has(rule.id));
    for (const rule of changed) if (hasTwin(others, rule)) wrong.push(10203);
    refuseAny(wrong);
  }

  /** By default, a filter that was created with a rule is deleted with its last rule, and any other filter stays. */
  deleteRule(id: string, isFilterToo: boolean | undefined): void {
    const rule = this.rules.find((each) => each.id === id);
    this.rules = this.rules.filter((each) => each !== rule);
    const filter = this.filters.find((each) => each.id === rule?.filterId);
    if (filter === undefined || this.isUsed(filter.id) || !(isFilterToo ?? filter.isInline)) return;
    this.filters = this.filters.filter((each) => each !== filter);
  }

  /** Takes over the ids that the server assigned, in order of creation. */
  learn(filterIds: readonly string[], ruleIds: readonly string[]): void {
    const real = new Map<string, string>();
    for (const [index, { id }] of this.filters.filter(isMade).entries()) real.set(id, filterIds[index]!);
    for (const [index, { id }] of this.rules.filter(isMade).entries()) real.set(id, ruleIds[index]!);
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

  #addFilter(expression: string, isInline: boolean): ModelFilter {
    const filter = { id: this.#newId(), expression, isInline };
    this.filters.push(filter);
    return filter;
  }

  /** Why a filter may not be changed. */
  #lockOf(filter: ModelFilter | undefined): number | undefined {
    if (filter === undefined) return 10001;
    return filter.isInline && this.isUsed(filter.id) ? 10106 : undefined;
  }

  /** For a rule with an expression: a new filter, an unused one, or the conflict. */
  #filterWith(
    expression: string,
    { named, own }: { readonly named: readonly string[]; readonly own: ReadonlySet<string> },
  ): ModelFilter | number {
    const flaw = flawOf(expression);
    if (flaw !== undefined) return flaw;
    const twin = this.filters.find((filter) => filter.expression === expression);
    if (twin === undefined) return this.#addFilter(expression, true);
    if (own.has(twin.id)) return 10107;
    return named.includes(twin.id) || this.isUsed(twin.id) ? 10202 : twin;
  }
}

function isNumber(code: number | undefined): code is number {
  return code !== undefined;
}

function isMade({ id }: { readonly id: string }): boolean {
  return id.startsWith('made');
}

function flawOf(expression: string): number | undefined {
  if (expression === 'nosuch') return 10103;
  return expression.includes('matches') ? 10105 : undefined;
}

function flawsOf({ action, products }: GivenRule): number[] {
  const flaws: number[] = [];
  if (action === 'log') flaws.push(10206);
  if (action !== 'bypass' && products.length > 0) flaws.push(10207);
  if (action === 'bypass' && products.length === 0) flaws.push(10208);
  return flaws;
}

function hasTwin(rules: readonly ModelRule[], rule: ModelRule): boolean {
  const key = ({ filterId, action, products, priority }: ModelRule): string =>
    JSON.stringify([filterId, action, products.toSorted(), priority]);
  return rules.some((other) => other.id !== rule.id && key(other) === key(rule));
}

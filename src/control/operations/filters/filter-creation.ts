/**
 * Filters that one call creates: through their own interface, or inside of firewall rules. Each is checked against those
 * that exist and those that the same call made before it.
 */
import { fault, filterCodes, firewallRuleCodes } from '#api';
import type { ZoneContext } from '../../context/handler.ts';
import { filtersMax } from '../../context/limits.ts';
import { checkedExpression } from './checked-expression.ts';
import { filterJson } from './filter-json.ts';
import { type Filter, FilterStore } from '../../stores/filter-store.ts';

export interface FilterContent {
  readonly expression: string;
  readonly paused?: boolean;
  readonly description?: string | null;
  readonly ref?: string | null;
}

/** Where in the body the filter stands, and in which rule if it comes inside of one. */
export interface FilterPlace {
  readonly pointer: string;
  readonly ruleIndex?: number;
}

export class FilterCreation {
  readonly #context: ZoneContext;
  readonly #store: FilterStore;
  /** Of the filters made by this call, by id. */
  readonly #pointers = new Map<string, string>();

  constructor(context: ZoneContext) {
    this.#context = context;
    this.#store = new FilterStore(context.sql);
  }

  add(content: FilterContent, place: FilterPlace): Filter {
    const { directory, zone, newId, audit } = this.#context;
    const { pointer, ruleIndex } = place;
    const expression = checkedExpression(content.expression, {
      directory,
      plan: zone.plan,
      pointer: `${pointer}/expression`,
    });
    const filter = { ...keptContent(content), id: newId(), expression, isInline: ruleIndex !== undefined };
    this.#refuseTwin(filter, place);
    if (this.#store.hasAsManyAs(filtersMax)) {
      throw fault(filterCodes.filterQuotaExceeded, { pointer, fill: { max: filtersMax } });
    }
    this.#store.add(filter);
    this.#pointers.set(filter.id, pointer);
    audit({ resource: 'filter', id: filter.id, before: undefined, after: filterJson(filter) });
    return filter;
  }

  #refuseTwin(filter: Filter, { pointer, ruleIndex: index }: FilterPlace): void {
    const id = this.#store.twinOf(filter);
    if (id === undefined) return;
    // The id of a filter that goes away with this failure is of no use to anyone.
    const first = this.#pointers.get(id);
    if (first !== undefined) throw fault(filterCodes.filterRepeated, { pointer, fill: { first } });
    if (index === undefined) throw fault(filterCodes.filterDuplicate, { pointer, id });
    throw fault(firewallRuleCodes.ruleFilterDuplicate, { pointer, id, fill: { index } });
  }
}

/** What is left out has its default, and an empty text is none. */
export function keptContent({ paused = false, description, ref }: Omit<FilterContent, 'expression'>) {
  return { isPaused: paused, description: description || null, ref: ref || null };
}

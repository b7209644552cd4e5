/**
 * Filters that one call creates: through their own interface, or inside of firewall rules. Each is checked against those
 * that exist and those that the same call made before it.
 *
 * One that comes inside of a rule and has the expression of a filter that no rule uses is not created: the rule takes that
 * filter up, so that what a deleted rule, or a call over the quota, left behind is never in the way.
 */
import { isDeepStrictEqual } from 'node:util';
import { entryOf, fault, filterCodes, firewallRuleCodes } from '#api';
import { FirewallRuleStore } from '../../stores/firewall-rule-store.ts';
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

interface TakenUp {
  readonly before: Filter;
  readonly after: Filter;
  readonly pointer: string;
}

export class FilterCreation {
  readonly #context: ZoneContext;
  readonly #store: FilterStore;
  readonly #namedIds: ReadonlySet<string>;
  /** Of the filters that this call made or took up, by id. */
  readonly #pointers = new Map<string, string>();
  readonly #takenUp: TakenUp[] = [];

  /** `namedIds` are those of filters that rules of the same call name; they serve these rules. */
  constructor(context: ZoneContext, namedIds: ReadonlySet<string> = new Set()) {
    this.#context = context;
    this.#store = new FilterStore(context.sql);
    this.#namedIds = namedIds;
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
    const twinId = this.#store.twinOf(filter);
    if (twinId !== undefined) return this.#takeUp(twinId, content, place);
    if (this.#store.hasAsManyAs(filtersMax)) {
      throw fault(filterCodes.filterQuotaExceeded, { pointer, fill: { max: filtersMax } });
    }
    this.#store.add(filter);
    this.#pointers.set(filter.id, pointer);
    audit({ resource: 'filter', id: filter.id, before: undefined, after: filterJson(filter) });
    return filter;
  }

  /** Gives the filters that were taken up what the call says of them. For when their rules are certain to be created. */
  changeTakenUp(): void {
    const { audit, say } = this.#context;
    for (const { before, after, pointer } of this.#takenUp) {
      const { id } = after;
      say(entryOf(firewallRuleCodes.ruleFilterTakenUp, { fill: { filter: id, pointer } }));
      if (isDeepStrictEqual(before, after)) continue;
      this.#store.replace(after);
      audit({ resource: 'filter', id, before: filterJson(before), after: filterJson(after) });
    }
  }

  #takeUp(id: string, content: FilterContent, { pointer, ruleIndex: index }: FilterPlace): Filter {
    // The id of a filter that goes away with this failure is of no use to anyone.
    const first = this.#pointers.get(id);
    if (first !== undefined) throw fault(filterCodes.filterRepeated, { pointer, fill: { first } });
    if (index === undefined) throw fault(filterCodes.filterDuplicate, { pointer, id });
    if (this.#namedIds.has(id) || new FirewallRuleStore(this.#context.sql).isUsing(id)) {
      throw fault(firewallRuleCodes.ruleFilterDuplicate, { pointer, id, fill: { index } });
    }
    const before = this.#store.get(id)!;
    const { isPaused, description, ref } = keptContent(content);
    const after = {
      ...before,
      isPaused,
      // A description of the filter is nothing that the rule would want gone.
      description: content.description === undefined ? before.description : description,
      ref: content.ref === undefined ? before.ref : ref,
    };
    this.#pointers.set(id, pointer);
    this.#takenUp.push({ before, after, pointer });
    return after;
  }
}

/** What is left out has its default, and an empty text is none. */
export function keptContent({ paused = false, description, ref }: Omit<FilterContent, 'expression'>) {
  return { isPaused: paused, description: description || null, ref: ref || null };
}

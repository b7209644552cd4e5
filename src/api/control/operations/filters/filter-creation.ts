/**
 * Filters that one call creates: on their own, or inside firewall rules. Each one is compared with existing filters and
 * with those that the same call created before it.
 *
 * If a filter inside a rule has the expression of an existing filter that no rule uses, it is not created: the rule
 * adopts the existing filter. So a filter that remains after a deleted rule, or after a call over the quota, is never
 * an obstacle.
 */
import { isDeepStrictEqual } from 'node:util';
import { entryOf, fault, filterCodes, firewallRuleCodes } from '#contract';
import { FirewallRuleStore } from '../../stores/firewall-rules.ts';
import type { ZoneContext } from '../../context/handler.ts';
import { filtersMax } from '../../context/limits.ts';
import { readExpression } from './read-expression.ts';
import { toFilterJson } from './filter-json.ts';
import { type Filter, filterTable, findFilterTwin } from '../../stores/filters.ts';

export interface FilterContent {
  readonly expression: string;
  readonly paused?: boolean;
  readonly description?: string | null;
  readonly ref?: string | null;
}

/** The place of the filter in the body, and its rule if it is inside one. */
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
  readonly #namedIds: ReadonlySet<string>;
  /** Pointers to the filters that this call created or adopted, by id. */
  readonly #pointers = new Map<string, string>();
  readonly #takenUp: TakenUp[] = [];

  /** `namedIds` are the ids of filters that rules of the same call name; those rules use them. */
  constructor(context: ZoneContext, namedIds: ReadonlySet<string> = new Set()) {
    this.#context = context;
    this.#namedIds = namedIds;
  }

  add(content: FilterContent, place: FilterPlace): Filter {
    const { directory, zone, newId, audit, sql } = this.#context;
    const { pointer, ruleIndex } = place;
    const expression = readExpression(content.expression, {
      directory,
      plan: zone.plan,
      pointer: `${pointer}/expression`,
    });
    const filter = {
      ...normaliseContent(content),
      id: newId(),
      expression,
      isInline: ruleIndex !== undefined,
    };
    const twinId = findFilterTwin(sql, filter);
    if (twinId !== undefined) return this.#takeUp(twinId, content, place);
    if (filterTable.hasAtLeast(sql, filtersMax)) {
      throw fault(filterCodes.filterQuotaExceeded, { pointer, fill: { max: filtersMax } });
    }
    filterTable.insert(sql, filter);
    this.#pointers.set(filter.id, pointer);
    audit({ resource: 'filter', id: filter.id, before: undefined, after: toFilterJson(filter) });
    return filter;
  }

  /**
   * Applies the call's changes to the adopted filters. Must be called once it is certain that their rules are created.
   */
  changeTakenUp(): void {
    const { audit, addMessage, sql } = this.#context;
    for (const { before, after, pointer } of this.#takenUp) {
      const { id } = after;
      addMessage(entryOf(firewallRuleCodes.ruleFilterTakenUp, { fill: { filter: id, pointer } }));
      if (isDeepStrictEqual(before, after)) continue;
      filterTable.update(sql, after);
      audit({ resource: 'filter', id, before: toFilterJson(before), after: toFilterJson(after) });
    }
  }

  #takeUp(id: string, content: FilterContent, { pointer, ruleIndex: index }: FilterPlace): Filter {
    // The id of a filter that is rolled back with this failure is useless to the client.
    const first = this.#pointers.get(id);
    if (first !== undefined) throw fault(filterCodes.filterRepeated, { pointer, fill: { first } });
    if (index === undefined) throw fault(filterCodes.filterDuplicate, { pointer, id });
    if (this.#namedIds.has(id) || new FirewallRuleStore(this.#context.sql).isUsing(id)) {
      throw fault(firewallRuleCodes.ruleFilterDuplicate, { pointer, id, fill: { index } });
    }
    const before = filterTable.get(this.#context.sql, id)!;
    const { isPaused, description, ref } = normaliseContent(content);
    const after = {
      ...before,
      isPaused,
      // The rule does not request the deletion of the filter's description.
      description: content.description === undefined ? before.description : description,
      ref: content.ref === undefined ? before.ref : ref,
    };
    this.#pointers.set(id, pointer);
    this.#takenUp.push({ before, after, pointer });
    return after;
  }
}

/** Missing fields get their defaults, and an empty text counts as missing. */
export function normaliseContent({ paused = false, description, ref }: Omit<FilterContent, 'expression'>) {
  return { isPaused: paused, description: description || null, ref: ref || null };
}

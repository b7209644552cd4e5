/**
 * Rules that one call creates. The rules and their filters are all checked before the first rule is added, and the number of
 * rules is checked last: a fault rolls back the whole call and lists everything that is wrong with it. There is one
 * exception: if the plan's quota is the only problem, the filters inside the rules are created and none of the rules is. The
 * client can create rules from these filters later.
 */
import { zoneRulesMax } from '#rulesets';
import {
  entryOf,
  Fault,
  fault,
  FaultList,
  firewallRuleCodes as codes,
  type InputOf,
  malformed,
  ok,
  operations,
  refused,
  type Reply,
  type Result,
} from '#contract';
import { isFieldSound, isRestSound } from '#shapes';
import { FilterCreation } from '../filters/filter-creation.ts';
import { type Filter, filterTable } from '../../stores/filters.ts';
import type { ZoneContext } from '../../context/handler.ts';
import { addIdleBypassMessages } from '../../migration/notes.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { checkContent } from './firewall-rule-checks.ts';
import { toFirewallRuleJson } from './firewall-rule-json.ts';
import { type FirewallRule, FirewallRuleStore, toTwinKey } from '../../stores/firewall-rules.ts';
import { addIgnoredFieldMessages } from './ignored-fields.ts';

const { api } = operations['firewallRules.create'];

type Body = InputOf<'firewallRules.create'>['body'];
type GivenFilter = Body[number]['value']['filter'];

interface Draft {
  readonly rule: FirewallRule;
  /** The filter that this call created, or adopted, for the rule. */
  readonly ownFilter: Filter | undefined;
}

export function createFirewallRules(context: ZoneContext, body: Body): Reply<Result<'firewallRules.create'>> {
  const store = new FirewallRuleStore(context.sql);
  const drafting = new Drafting(context, body);
  const drafts = drafting.draftAll();
  if (!store.hasRoomFor(drafts.length, zoneRulesMax[context.zone.plan])) {
    return refuseOverQuota(context, drafts, store.count());
  }
  drafting.filters.changeTakenUp();
  addIdleBypassMessages(
    context,
    drafts.map(({ rule }) => rule),
  );
  return ok(
    drafts.map(({ rule }) => {
      const json = toFirewallRuleJson(rule);
      store.add(rule);
      context.audit({ resource: 'firewall_rule', id: rule.id, before: undefined, after: json });
      return json;
    }),
  );
}

/** The rules of one call and their filters, checked together, so that one response lists everything that is wrong. */
class Drafting {
  readonly filters: FilterCreation;
  readonly #context: ZoneContext;
  readonly #body: Body;
  readonly #store: FirewallRuleStore;
  readonly #faults = new FaultList();
  /** Pointers to the rules of this call, by `toTwinKey`. */
  readonly #pointers = new Map<string, string>();

  constructor(context: ZoneContext, body: Body) {
    this.#context = context;
    this.#body = body;
    this.#store = new FirewallRuleStore(context.sql);
    const named = body
      .filter((item) => isFieldSound(item, 'filter'))
      .map(({ value }) => value.filter.id ?? '');
    this.filters = new FilterCreation(context, new Set(named));
  }

  draftAll(): Draft[] {
    const drafts = this.#body.flatMap((item, index) => this.#draft(item, index) ?? []);
    this.#faults.throwIfAny();
    return drafts;
  }

  #draft(item: Body[number], index: number): Draft | undefined {
    const context = this.#context;
    const faults = this.#faults;
    const pointer = `/${index}`;
    const { value, problems } = item;
    if (problems.length > 0) faults.add(malformed(api, problems));
    const content = isRestSound(item, 'filter')
      ? faults.attempt(() => checkContent(context, value, pointer))
      : undefined;
    const filter = isFieldSound(item, 'filter')
      ? faults.attempt(() => this.#filterFor(value.filter, index))
      : undefined;
    if (content === undefined || filter === undefined) return undefined;
    const now = toSeconds(context.nowMs);
    const id = context.newId();
    const rule = { ...content, id, filterId: filter.id, filter, createdOn: now, modifiedOn: now };
    addIgnoredFieldMessages(context, value, { pointer, kept: {}, filter });
    const ownFilter = value.filter.id ? undefined : filter;
    // The filter was created inside this rule, so no other rule uses it.
    if (ownFilter === undefined) faults.attempt(() => this.#refuseTwin(rule, pointer));
    return { rule, ownFilter };
  }

  #filterFor(given: GivenFilter, index: number): Filter {
    const { id, expression } = given;
    const pointer = `/${index}/filter`;
    if (id) return findNamedFilter(this.#context, { ...given, id }, pointer);
    if (expression === undefined) throw fault(codes.ruleFilterMissing, { pointer });
    return this.filters.add({ ...given, expression }, { pointer, ruleIndex: index });
  }

  #refuseTwin(rule: FirewallRule, pointer: string): void {
    const id = this.#store.findTwin(rule);
    if (id !== undefined) throw fault(codes.ruleDuplicate, { pointer, id });
    const key = toTwinKey(rule);
    const first = this.#pointers.get(key);
    if (first !== undefined) throw fault(codes.ruleRepeated, { pointer, fill: { first } });
    this.#pointers.set(key, pointer);
  }
}

/** Returns the filter that a rule names by its id. */
export function findReferredFilter({ sql }: ZoneContext, id: string, pointer: string): Filter {
  const filter = filterTable.get(sql, id);
  if (filter !== undefined) return filter;
  throw fault(codes.ruleFilterNotFound, { pointer: `${pointer}/id`, fill: { filter: id } });
}

/** If the named filter had another expression than the body, the rule would match the wrong requests. */
function findNamedFilter(context: ZoneContext, given: GivenFilter & { id: string }, pointer: string): Filter {
  const { id, expression = '' } = given;
  const filter = findReferredFilter(context, id, pointer);
  if (['', filter.expression].includes(expression.trim())) return filter;
  throw fault(codes.ruleFilterContradicted, { pointer: `${pointer}/expression`, fill: { filter: id } });
}

function refuseOverQuota({ zone }: ZoneContext, drafts: readonly Draft[], count: number): Reply<never> {
  const max = zoneRulesMax[zone.plan];
  // A downgraded zone may have more rules than its plan allows, and keeps them.
  const room = Math.max(0, max - count);
  const keptFilter = drafts[room]!.ownFilter;
  const entry = entryOf(codes.ruleQuotaExceeded, {
    pointer: `/${room}`,
    fill: { plan: zone.plan, max, count, more: drafts.length },
    ...(keptFilter === undefined ? {} : { id: keptFilter.id }),
  });
  const messages = drafts.flatMap(({ ownFilter }, index) => {
    if (ownFilter === undefined) return [];
    const fill = { filter: ownFilter.id, pointer: `/${index}/filter` };
    return [entryOf(codes.ruleFilterKept, { fill })];
  });
  return refused(new Fault(codes.ruleQuotaExceeded.status, [entry], messages));
}

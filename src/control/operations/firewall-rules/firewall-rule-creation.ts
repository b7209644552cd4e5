/**
 * Rules that one call creates. Everything about them and their filters is checked before the first rule is added, the
 * number of rules last: a fault undoes all of the call, except when only the plan has no room for the rules. Then the
 * filters that came inside of them are kept, and none of the rules; a rule can be made of each of them later.
 */
import { zoneRulesMax } from '#firewall';
import {
  entryOf,
  Fault,
  fault,
  firewallRuleCodes as codes,
  type firewallRuleOperations,
  type Input,
  ok,
  refused,
  type Reply,
} from '#api';
import { FilterCreation } from '../filters/filter-creation.ts';
import { type Filter, FilterStore } from '../../stores/filter-store.ts';
import type { ZoneContext } from '../../context/handler.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { checkedContent } from './firewall-rule-checks.ts';
import { firewallRuleJson } from './firewall-rule-json.ts';
import { type FirewallRule, FirewallRuleStore, setKey } from '../../stores/firewall-rule-store.ts';

type Body = Input<(typeof firewallRuleOperations)['firewallRules.create']>['body'];

interface Draft {
  readonly rule: FirewallRule;
  /** The filter that this call made for it. */
  readonly madeFilter: Filter | undefined;
}

export function createFirewallRules(context: ZoneContext, body: Body): Reply {
  const store = new FirewallRuleStore(context.sql);
  const drafts = draftRules(context, body, store);
  const count = store.count();
  const max = zoneRulesMax[context.zone.plan];
  // A zone that came from a larger plan has more than the maximum, and keeps it.
  const room = Math.max(0, max - count);
  if (drafts.length > room) return refuseOverQuota(context, drafts, { count, max, room });
  return ok(
    drafts.map(({ rule }) => {
      const json = firewallRuleJson(rule);
      store.add(rule);
      context.audit({ resource: 'firewall_rule', id: rule.id, before: undefined, after: json });
      return json;
    }),
  );
}

function draftRules(context: ZoneContext, body: Body, store: FirewallRuleStore): Draft[] {
  const creation = new FilterCreation(context);
  const now = toSeconds(context.nowMs);
  const pointers = new Map<string, string>();
  return body.map((given, index) => {
    const pointer = `/${index}`;
    const content = checkedContent(context, given, pointer);
    const { id: filterId } = given.filter;
    const madeFilter = filterId ? undefined : inlineFilter(creation, given.filter, index);
    const filter = madeFilter ?? referredFilter(context, filterId!, pointer);
    const id = context.newId();
    const rule = { ...content, id, filterId: filter.id, filter, createdOn: now, modifiedOn: now };
    // Nobody else has the filter that was made for this rule.
    if (madeFilter === undefined) refuseTwin(rule, { store, pointers, pointer });
    return { rule, madeFilter };
  });
}

function refuseTwin(
  rule: FirewallRule,
  drafts: {
    readonly store: FirewallRuleStore;
    readonly pointers: Map<string, string>;
    readonly pointer: string;
  },
): void {
  const { store, pointers, pointer } = drafts;
  const id = store.twinOf(rule);
  if (id !== undefined) throw fault(codes.ruleDuplicate, { pointer, id });
  const key = [rule.filterId, rule.action, setKey(rule.products)].join();
  const first = pointers.get(key);
  if (first !== undefined) throw fault(codes.ruleRepeated, { pointer, fill: { first } });
  pointers.set(key, pointer);
}

/** The filter that a rule names by its id. */
export function referredFilter({ sql }: ZoneContext, id: string, rulePointer: string): Filter {
  const filter = new FilterStore(sql).get(id);
  if (filter !== undefined) return filter;
  throw fault(codes.ruleFilterNotFound, { pointer: `${rulePointer}/filter/id`, fill: { filter: id } });
}

function inlineFilter(creation: FilterCreation, content: Body[number]['filter'], ruleIndex: number): Filter {
  const pointer = `/${ruleIndex}/filter`;
  const { expression } = content;
  if (expression === undefined) throw fault(codes.ruleFilterMissing, { pointer });
  return creation.add({ ...content, expression }, { pointer, ruleIndex });
}

function refuseOverQuota(
  { zone }: ZoneContext,
  drafts: readonly Draft[],
  { count, max, room }: { readonly count: number; readonly max: number; readonly room: number },
): Reply {
  const keptFilter = drafts[room]!.madeFilter;
  const entry = entryOf(codes.ruleQuotaExceeded, {
    pointer: `/${room}`,
    fill: { plan: zone.plan, max, count, more: drafts.length },
    ...(keptFilter === undefined ? {} : { id: keptFilter.id }),
  });
  const messages = drafts.flatMap(({ madeFilter }, index) => {
    if (madeFilter === undefined) return [];
    const fill = { filter: madeFilter.id, pointer: `/${index}/filter` };
    return [entryOf(codes.ruleFilterKept, { fill })];
  });
  return refused(new Fault(codes.ruleQuotaExceeded.status, [entry], messages));
}

/** Operations on firewall rules. */
import { fault, firewallRuleCodes as codes, type firewallRuleOperations, ok, page } from '#api';
import { deletedFilterJson, filterJson } from '../filters/filter-json.ts';
import { FilterStore } from '../../stores/filter-store.ts';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { checkedContent, type FirewallRuleContent } from './firewall-rule-checks.ts';
import { createFirewallRules, referredFilter } from './firewall-rule-creation.ts';
import { firewallRuleJson } from './firewall-rule-json.ts';
import { type FirewallRule, FirewallRuleStore } from '../../stores/firewall-rule-store.ts';

export const firewallRuleHandlers: Handlers<ZoneContext, typeof firewallRuleOperations> = {
  'firewallRules.create'(context, { body }) {
    return createFirewallRules(context, body);
  },

  'firewallRules.list'(context, { query }) {
    const { page: number, per_page, ...conditions } = query;
    const store = new FirewallRuleStore(context.sql);
    const { total, rules } = store.find(conditions, { offset: (number - 1) * per_page, limit: per_page });
    return page(rules.map(firewallRuleJson), { page: number, per_page, total });
  },

  'firewallRules.get'(context, { path }) {
    const id = path['rule_id']!;
    const rule = new FirewallRuleStore(context.sql).get(id);
    if (rule === undefined) throw fault(codes.ruleNotFound, { fill: { rule: id } });
    return ok(firewallRuleJson(rule));
  },

  'firewallRules.update'(context, { path, body }) {
    const id = ownId(path['rule_id']!, body.id);
    const [rule] = changeRules(context, [{ id, pointer: '', given: body }], replaced);
    return ok(rule);
  },

  'firewallRules.updateMany'(context, { body }) {
    return ok(changeRules(context, eachPlaced(body), replaced));
  },

  'firewallRules.edit'(context, { path, body }) {
    const id = ownId(path['rule_id']!, body.id);
    return ok(changeRules(context, [{ id, pointer: '', given: body }], prioritised));
  },

  'firewallRules.editMany'(context, { body }) {
    return ok(changeRules(context, eachPlaced(body), prioritised));
  },

  'firewallRules.delete'(context, { path, query, body }) {
    const id = ownId(path['rule_id']!, body?.id);
    const isFilterToo = query.delete_filter_if_unused ?? body?.delete_filter_if_unused ?? false;
    return ok(removeRule(context, id, isFilterToo));
  },

  'firewallRules.deleteMany'(context, { query, body = [] }) {
    // Said without an id it means every rule of the call.
    const isAnyFilterToo =
      query.delete_filter_if_unused ??
      body.some(({ id, delete_filter_if_unused }) => id === undefined && delete_filter_if_unused === true);
    const removed = query.id.map((id) => removeRule(context, id, isAnyFilterToo));
    for (const { id, delete_filter_if_unused = isAnyFilterToo } of body) {
      if (id !== undefined) removed.push(removeRule(context, id, delete_filter_if_unused));
    }
    return ok(removed);
  },
};

/** One rule of a call that changes rules, and where in the body it stands. */
interface Placed<Given> {
  readonly id: string;
  readonly pointer: string;
  readonly given: Given;
}

function eachPlaced<Given extends { readonly id: string }>(body: readonly Given[]): Placed<Given>[] {
  return body.map((given, index) => ({ id: given.id, pointer: `/${index}`, given }));
}

function ownId(id: string, sent: string | undefined): string {
  if (sent !== undefined && sent !== id) throw fault(codes.ruleIdMismatch, { pointer: '/id' });
  return id;
}

/** Twins are looked for when all are in place, so that rules can trade what they do. */
function changeRules<Given>(
  context: ZoneContext,
  items: readonly Placed<Given>[],
  change: (context: ZoneContext, before: FirewallRule, item: Placed<Given>) => FirewallRule,
): object[] {
  const store = new FirewallRuleStore(context.sql);
  const pointers = new Map<string, string>();
  const changed = items.map((item) => {
    const { id, pointer } = item;
    const first = pointers.get(id);
    if (first !== undefined) throw fault(codes.ruleRepeated, { pointer, fill: { first } });
    pointers.set(id, pointer);
    const before = store.get(id);
    if (before === undefined) throw fault(codes.ruleNotFound, { pointer, fill: { rule: id } });
    const after = change(context, before, item);
    if (after !== before) store.replace(after);
    return { before, after };
  });
  return changed.map(({ before, after }) => {
    const json = firewallRuleJson(after);
    if (after === before) return json;
    const { id } = after;
    const twin = store.twinOf(after);
    if (twin !== undefined) throw fault(codes.ruleDuplicate, { pointer: pointers.get(id)!, id: twin });
    context.audit({ resource: 'firewall_rule', id, before: firewallRuleJson(before), after: json });
    return json;
  });
}

interface GivenRule extends FirewallRuleContent {
  readonly filter: { readonly id: string };
}

/** What is left out is erased; the filter is chosen here and changed elsewhere. */
function replaced(
  context: ZoneContext,
  before: FirewallRule,
  { given, pointer }: Placed<GivenRule>,
): FirewallRule {
  const content = checkedContent(context, given, pointer);
  const filter = referredFilter(context, given.filter.id, pointer);
  return { ...before, ...content, filterId: filter.id, filter, modifiedOn: toSeconds(context.nowMs) };
}

/** A client that names no priority changes nothing. */
function prioritised(
  context: ZoneContext,
  before: FirewallRule,
  { given: { priority } }: Placed<{ readonly priority?: number | null }>,
): FirewallRule {
  return priority === undefined ? before : { ...before, priority, modifiedOn: toSeconds(context.nowMs) };
}

/** A rule nobody has is as good as deleted. */
function removeRule(context: ZoneContext, id: string, isFilterToo: boolean): object {
  const store = new FirewallRuleStore(context.sql);
  const rule = store.get(id);
  if (rule === undefined) return { id };
  store.remove(id);
  context.audit({ resource: 'firewall_rule', id, before: firewallRuleJson(rule), after: undefined });
  const { filter } = rule;
  if (!isFilterToo || filter === undefined || store.idsUsing(filter.id).length > 0) return { id };
  new FilterStore(context.sql).remove(filter.id);
  context.audit({ resource: 'filter', id: filter.id, before: filterJson(filter), after: undefined });
  return { id, filter: deletedFilterJson(filter.id) };
}

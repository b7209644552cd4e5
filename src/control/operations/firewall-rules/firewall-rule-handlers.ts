/** Operations on firewall rules. */
import { type Examined, isFieldSound, isRestSound } from '#shapes';
import {
  fault,
  FaultList,
  firewallRuleCodes as codes,
  firewallRuleOperations,
  malformed,
  ok,
  page,
} from '#api';
import { deletedFilterJson, filterJson } from '../filters/filter-json.ts';
import { FilterStore } from '../../stores/filter-store.ts';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { sayIdleBypasses } from '../../migration/notes.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { checkedContent, type FirewallRuleContent } from './firewall-rule-checks.ts';
import { createFirewallRules, referredFilter } from './firewall-rule-creation.ts';
import { firewallRuleJson } from './firewall-rule-json.ts';
import { type FirewallRule, FirewallRuleStore } from '../../stores/firewall-rule-store.ts';
import { type SentRule, tellUntakenFields } from './untaken-fields.ts';

const { api } = firewallRuleOperations['firewallRules.update'];

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
    const [rule] = changeRule(context, path['rule_id']!, body, readReplacement);
    return ok(rule);
  },

  'firewallRules.updateMany'(context, { body }) {
    return ok(changeRules(context, eachPlaced(body), readReplacement));
  },

  'firewallRules.edit'(context, { path, body }) {
    return ok(changeRule(context, path['rule_id']!, body, readPriority));
  },

  'firewallRules.editMany'(context, { body }) {
    return ok(changeRules(context, eachPlaced(body), readPriority));
  },

  'firewallRules.delete'(context, { path, query, body }) {
    const id = path['rule_id']!;
    if (body?.id !== undefined && body.id !== id) throw fault(codes.ruleIdMismatch, { pointer: '/id' });
    return ok(removeRule(context, id, query.delete_filter_if_unused ?? body?.delete_filter_if_unused));
  },

  'firewallRules.deleteMany'(context, { query, body = [] }) {
    // Said without an id it means every rule of the call.
    const said = new Set(
      body.filter(({ id }) => id === undefined).map((each) => each.delete_filter_if_unused),
    );
    const isAnyFilterToo =
      query.delete_filter_if_unused ?? (said.has(true) || (said.has(false) ? false : undefined));
    const removed = query.id.map((id) => removeRule(context, id, isAnyFilterToo));
    for (const { id, delete_filter_if_unused = isAnyFilterToo } of body) {
      if (id !== undefined) removed.push(removeRule(context, id, delete_filter_if_unused));
    }
    return ok(removed);
  },
};

/** One rule of a call that changes rules. */
interface Placed<Given> {
  /** Undefined where the body has none. */
  readonly id: string | undefined;
  readonly pointer: string;
  readonly item: Examined<Given>;
}

function eachPlaced<Given extends { readonly id: string }>(
  body: readonly Examined<Given>[],
): Placed<Given>[] {
  return body.map((item, index) => {
    const id = isFieldSound(item, 'id') ? item.value.id : undefined;
    return { id, pointer: `/${index}`, item };
  });
}

/** What a sound item makes of the rule that is there; undefined, and the faults say why, where it is not sound. */
type ReadChange<Given> = (
  context: ZoneContext,
  item: Examined<Given>,
  place: { readonly pointer: string; readonly faults: FaultList },
) => ((before: FirewallRule) => FirewallRule) | undefined;

function changeRule<Given extends { readonly id?: string }>(
  context: ZoneContext,
  id: string,
  item: Examined<Given>,
  read: ReadChange<Given>,
): object[] {
  const faults = new FaultList();
  const { id: sent = id } = isFieldSound(item, 'id') ? item.value : {};
  if (sent !== id) faults.add(fault(codes.ruleIdMismatch, { pointer: '/id' }));
  return changeRules(context, [{ id, pointer: '', item }], read, faults);
}

/** Twins are looked for when all are in place, so that rules can trade what they do. */
function changeRules<Given>(
  context: ZoneContext,
  items: readonly Placed<Given>[],
  read: ReadChange<Given>,
  faults = new FaultList(),
): object[] {
  const store = new FirewallRuleStore(context.sql);
  const pointers = new Map<string, string>();
  const changed = new Map<string, { readonly before: FirewallRule; readonly after: FirewallRule }>();
  for (const { id, pointer, item } of items) {
    if (item.problems.length > 0) faults.add(malformed(api, item.problems));
    const before =
      id === undefined ? undefined : faults.attempt(() => claim(store, id, { pointers, pointer }));
    const change = read(context, item, { pointer, faults });
    if (before === undefined || change === undefined) continue;
    const after = change(before);
    if (after !== before) store.replace(after);
    changed.set(after.id, { before, after });
  }
  for (const [id, { before, after }] of changed) {
    const twin = after === before ? undefined : store.twinOf(after);
    // One that was to be changed, and could not be, might have been out of the way.
    if (twin === undefined || (pointers.has(twin) && !changed.has(twin))) continue;
    faults.add(fault(codes.ruleDuplicate, { pointer: pointers.get(id)!, id: twin }));
  }
  faults.throwIfAny();
  sayIdleBypasses(
    context,
    Array.from(changed.values(), ({ after }) => after),
  );
  return Array.from(changed.values(), ({ before, after }) => {
    const json = firewallRuleJson(after);
    if (after !== before) {
      const change = { before: firewallRuleJson(before), after: json };
      context.audit({ resource: 'firewall_rule', id: after.id, ...change });
    }
    return json;
  });
}

/** The rule that an item changes, each once. */
function claim(
  store: FirewallRuleStore,
  id: string,
  { pointers, pointer }: { readonly pointers: Map<string, string>; readonly pointer: string },
): FirewallRule {
  const first = pointers.get(id);
  if (first !== undefined) throw fault(codes.ruleRepeated, { pointer, fill: { first } });
  pointers.set(id, pointer);
  const rule = store.get(id);
  if (rule === undefined) throw fault(codes.ruleNotFound, { pointer, fill: { rule: id } });
  return rule;
}

type GivenRule = FirewallRuleContent & SentRule & { readonly filter: { readonly id: string } };

/** What is left out is erased; the filter is chosen here and changed elsewhere. */
const readReplacement: ReadChange<GivenRule> = (context, item, { pointer, faults }) => {
  const { value } = item;
  const content = isRestSound(item, 'filter')
    ? faults.attempt(() => checkedContent(context, value, pointer))
    : undefined;
  const filter = isFieldSound(item, 'filter')
    ? faults.attempt(() => referredFilter(context, value.filter.id, `${pointer}/filter`))
    : undefined;
  if (content === undefined || filter === undefined) return undefined;
  return (before) => {
    const kept = { id: before.id, created_on: before.createdOn, modified_on: before.modifiedOn };
    tellUntakenFields(context, value, { pointer, kept, filter });
    return { ...before, ...content, filterId: filter.id, filter, modifiedOn: toSeconds(context.nowMs) };
  };
};

/** A client that names no priority changes nothing. */
const readPriority: ReadChange<{ readonly priority?: number | null }> = ({ nowMs }, item) => {
  const { priority } = item.value;
  if (item.problems.length > 0) return undefined;
  return (before) =>
    priority === undefined ? before : { ...before, priority, modifiedOn: toSeconds(nowMs) };
};

/**
 * A rule nobody has is as good as deleted. Its filter goes with it if no other rule uses it and it came inside of a rule,
 * unless the call says otherwise.
 */
function removeRule(context: ZoneContext, id: string, isFilterToo: boolean | undefined): object {
  const store = new FirewallRuleStore(context.sql);
  const rule = store.get(id);
  if (rule === undefined) return { id };
  store.remove(id);
  context.audit({ resource: 'firewall_rule', id, before: firewallRuleJson(rule), after: undefined });
  const { filter } = rule;
  if (filter === undefined || !(isFilterToo ?? filter.isInline) || store.isUsing(filter.id)) return { id };
  new FilterStore(context.sql).remove(filter.id);
  context.audit({ resource: 'filter', id: filter.id, before: filterJson(filter), after: undefined });
  return { id, filter: deletedFilterJson(filter.id) };
}

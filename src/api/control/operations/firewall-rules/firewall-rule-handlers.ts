/** Operations on firewall rules. */
import { type Examined, isFieldSound, isRestSound } from '#shapes';
import { fault, FaultList, firewallRuleCodes as codes, ok, operations, page, type Result } from '#contract';
import { toDeletedFilterJson, toFilterJson } from '../filters/filter-json.ts';
import { filterTable } from '../../stores/filters.ts';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { addOutOfForceMessages } from '../../configuration/out-of-force.ts';
import { addIdleBypassMessages } from '../../migration/notes.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { changeRows, type RowChange } from '../change-rows.ts';
import { checkContent, type FirewallRuleContent } from './firewall-rule-checks.ts';
import { createFirewallRules, findReferredFilter } from './firewall-rule-creation.ts';
import { exceptRequests } from './except-requests.ts';
import { toFirewallRuleJson } from './firewall-rule-json.ts';
import { type FirewallRule, FirewallRuleStore } from '../../stores/firewall-rules.ts';
import { type SentRule, addIgnoredFieldMessages } from './ignored-fields.ts';

const { api } = operations['firewallRules.update'];

export const firewallRuleHandlers: Handlers<ZoneContext, 'firewallRules'> = {
  'firewallRules.create'(context, { body }) {
    return createFirewallRules(context, body);
  },

  'firewallRules.list'(context, { query }) {
    const { total, rows } = new FirewallRuleStore(context.sql).search(query);
    addIdleBypassMessages(context, rows);
    addOutOfForceMessages(context, rows);
    return page(rows.map(toFirewallRuleJson), { ...query, total });
  },

  'firewallRules.get'(context, { path }) {
    const id = path['rule_id']!;
    const rule = new FirewallRuleStore(context.sql).get(id);
    if (rule === undefined) throw fault(codes.ruleNotFound, { fill: { rule: id } });
    addIdleBypassMessages(context, [rule]);
    addOutOfForceMessages(context, [rule]);
    return ok(toFirewallRuleJson(rule));
  },

  'firewallRules.update'(context, { path, body }) {
    const [rule] = changeRule(context, path['rule_id']!, body, readReplacement);
    return ok(rule!);
  },

  'firewallRules.updateMany'(context, { body }) {
    return ok(changeRules(context, placeEach(body), readReplacement));
  },

  'firewallRules.except'(context, { path, body }) {
    return ok(toFirewallRuleJson(exceptRequests(context, path['rule_id']!, body.expression)));
  },

  'firewallRules.edit'(context, { path, body }) {
    return ok(changeRule(context, path['rule_id']!, body, readPriority));
  },

  'firewallRules.editMany'(context, { body }) {
    return ok(changeRules(context, placeEach(body), readPriority));
  },

  'firewallRules.delete'(context, { path, query, body }) {
    const id = path['rule_id']!;
    if (body?.id !== undefined && body.id !== id) throw fault(codes.ruleIdMismatch, { pointer: '/id' });
    return ok(removeRule(context, id, query.delete_filter_if_unused ?? body?.delete_filter_if_unused));
  },

  'firewallRules.deleteMany'(context, { query, body = [] }) {
    // If given without an id, it applies to every rule of the call.
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

function placeEach<Given extends { readonly id: string }>(
  body: readonly Examined<Given>[],
): RowChange<Given>[] {
  return body.map((item, index) => {
    const id = isFieldSound(item, 'id') ? item.value.id : undefined;
    return { id, pointer: `/${index}`, item };
  });
}

/** Returns the rule after the change. If the item is not valid, returns undefined, and the faults say why. */
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
): Result<'firewallRules.updateMany'> {
  const faults = new FaultList();
  const { id: sent = id } = isFieldSound(item, 'id') ? item.value : {};
  if (sent !== id) faults.add(fault(codes.ruleIdMismatch, { pointer: '/id' }));
  return changeRules(context, [{ id, pointer: '', item }], read, faults);
}

function changeRules<Given>(
  context: ZoneContext,
  changes: readonly RowChange<Given>[],
  read: ReadChange<Given>,
  faults = new FaultList(),
): Result<'firewallRules.updateMany'> {
  const store = new FirewallRuleStore(context.sql);
  const changed = changeRows<Given, FirewallRule>(changes, faults, {
    api,
    find(id, pointer) {
      const rule = store.get(id);
      if (rule === undefined) throw fault(codes.ruleNotFound, { pointer, fill: { rule: id } });
      return rule;
    },
    read: ({ item, pointer }) => read(context, item, { pointer, faults }),
    replace: (after) => store.replace(after),
    findTwin: (after) => store.findTwin(after),
    createRepeated: (pointer, first) => fault(codes.ruleRepeated, { pointer, fill: { first } }),
    createDuplicate: (pointer, id) => fault(codes.ruleDuplicate, { pointer, id }),
  });
  addIdleBypassMessages(
    context,
    changed.map(({ after }) => after),
  );
  return changed.map(({ before, after }) => {
    const json = toFirewallRuleJson(after);
    if (after !== before) {
      const change = { before: toFirewallRuleJson(before), after: json };
      context.audit({ resource: 'firewall_rule', id: after.id, ...change });
    }
    return json;
  });
}

type GivenRule = FirewallRuleContent & SentRule & { readonly filter: { readonly id: string } };

/** Missing fields are cleared. The body chooses the filter; it does not change it. */
const readReplacement: ReadChange<GivenRule> = (context, item, { pointer, faults }) => {
  const { value } = item;
  const content = isRestSound(item, 'filter')
    ? faults.attempt(() => checkContent(context, value, pointer))
    : undefined;
  const filter = isFieldSound(item, 'filter')
    ? faults.attempt(() => findReferredFilter(context, value.filter.id, `${pointer}/filter`))
    : undefined;
  if (content === undefined || filter === undefined) return undefined;
  return (before) => {
    const kept = { id: before.id, created_on: before.createdOn, modified_on: before.modifiedOn };
    addIgnoredFieldMessages(context, value, { pointer, kept, filter });
    return { ...before, ...content, filterId: filter.id, filter, modifiedOn: toSeconds(context.nowMs) };
  };
};

/** A body without a priority changes nothing. */
const readPriority: ReadChange<{ readonly priority?: number | null }> = ({ nowMs }, item) => {
  const { priority } = item.value;
  if (item.problems.length > 0) return undefined;
  return (before) =>
    priority === undefined ? before : { ...before, priority, modifiedOn: toSeconds(nowMs) };
};

/**
 * Deleting a rule that does not exist succeeds. The filter is deleted with the rule if it was created inside a rule and no
 * other rule uses it, unless the call says otherwise.
 */
function removeRule(
  context: ZoneContext,
  id: string,
  isFilterToo: boolean | undefined,
): Result<'firewallRules.delete'> {
  const store = new FirewallRuleStore(context.sql);
  const rule = store.get(id);
  if (rule === undefined) return { id };
  store.remove(id);
  context.audit({ resource: 'firewall_rule', id, before: toFirewallRuleJson(rule), after: undefined });
  const { filter } = rule;
  if (filter === undefined || !(isFilterToo ?? filter.isInline) || store.isUsing(filter.id)) return { id };
  filterTable.remove(context.sql, filter.id);
  context.audit({ resource: 'filter', id: filter.id, before: toFilterJson(filter), after: undefined });
  return { id, filter: toDeletedFilterJson(filter.id) };
}

/** Firewall rules: what to do with requests that match a filter. */
import { type FirewallRuleAction, firewallRuleActions, priorityMax, product, products } from '#rulesets';
import { firewallRuleCodes as codes } from '../codes/firewall-rules.ts';
import { operationsOf } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  annotate,
  examined,
  named,
  choiceParameter,
  flagParameter,
  pageParameters,
  repeatedParameter,
  textParameter,
  choice,
  flag,
  integer,
  nullable,
  text,
  unread,
  listOf,
  type Shape,
  type Shaped,
  array,
  arrayOrOne,
  object,
  optional,
  record,
  string,
  constant,
  either,
  timestamp,
} from '#shapes';
import {
  deletionsMax,
  filterContent,
  filterCreationCodes,
  filterSchema,
  identifier,
  partDescription,
} from './filters.ts';

const api = 'firewallrules';
const read: readonly Permission[] = ['firewallServicesRead', 'firewallServicesWrite'];

const operation = operationsOf({ api, read, write: ['firewallServicesWrite'] });

/** Rules in one call that creates them or changes their priorities. */
const batchMax = 100;

/** Cloudflare documents this bound of a bulk update. */
const updatesMax = 25;

/** The names that rate limits use. */
const modes: Readonly<Record<string, FirewallRuleAction>> = { ban: 'block', simulate: 'log' };

/** The official TypeScript client types the action as that of rate limits, `{ mode: 'ban' }`, and sends what it is given. */
const actionName = named('FirewallRuleAction', choice(firewallRuleActions));
const mode = named(
  'FirewallRuleActionMode',
  object({ mode: choice([...firewallRuleActions, 'ban', 'simulate']) }),
);
const action: Shape<FirewallRuleAction> = {
  schema: { anyOf: [actionName.schema, mode.schema] },
  read(value, pointer, problems) {
    if (typeof value !== 'object' || value === null) return actionName.read(value, pointer, problems);
    const { mode: word } = mode.read(value, pointer, problems);
    return modes[word] ?? (word as FirewallRuleAction);
  },
};

const priority = nullable(integer({ min: 0, max: priorityMax }));

/** Clients send whole rules back. A value that differs from the server's is reported, and never stored. */
const sentBack = optional(unread({ readOnly: true }));

const content = {
  action,
  paused: optional(flag()),
  description: optional(nullable(text({ max: 500 }))),
  ref: optional(nullable(text({ max: 50 }))),
  priority: optional(priority),
  products: optional(nullable(array(product, { max: products.length }))),
  created_on: sentBack,
  modified_on: sentBack,
};

/** An existing filter, if it has an id, and then no other field is accepted; otherwise one to create with the rule. */
const filterOrReference = named(
  'FirewallRuleFilter',
  object({
    ...filterContent,
    expression: optional(filterContent.expression),
    id: optional(text({ max: 32 })),
    deleted: sentBack,
  }),
);
const filterReference = named(
  'FilterReference',
  object({
    id: identifier,
    expression: sentBack,
    paused: sentBack,
    description: sentBack,
    ref: sentBack,
    deleted: sentBack,
  }),
);

const ruleToCreate = named(
  'NewFirewallRule',
  object({ ...content, filter: filterOrReference, id: optional(text({ max: 32 })) }),
);
/** A rule with an existing filter. */
export const firewallRule = named(
  'FirewallRuleUpdate',
  object({ ...content, filter: filterReference, id: optional(identifier) }),
);
const ruleOfMany = named(
  'FirewallRuleUpdateOfMany',
  object({ ...content, filter: filterReference, id: identifier }),
);
const priorityToUpdate = named(
  'FirewallRulePriority',
  object({ id: optional(identifier), priority: optional(priority) }),
);
const priorityOfMany = named(
  'FirewallRulePriorityOfMany',
  object({ id: identifier, priority: optional(priority) }),
);

const deletion = named(
  'FirewallRuleDeletion',
  object({ id: optional(identifier), delete_filter_if_unused: optional(flag()) }),
);
export type DeletedFilter = Shaped<typeof deletedFilterSchema>;
const deletedFilterSchema = named('DeletedFilter', record({ id: string, deleted: constant(true) }));
const ruleSchema = named(
  'FirewallRule',
  record({
    id: string,
    paused: flag(),
    description: optional(string),
    action: actionName,
    priority,
    products: optional(listOf(product)),
    filter: either(filterSchema, deletedFilterSchema),
    ref: optional(string),
    created_on: timestamp,
    modified_on: timestamp,
  }),
);
const rulesSchema = listOf(ruleSchema);
const deletedRuleSchema = named(
  'DeletedFirewallRule',
  record({ id: string, filter: optional(deletedFilterSchema) }),
);

const deleteFilterParameter = flagParameter(
  'The same as in the body, for clients that send none. Default: true for filters that were created with a rule.',
);

/** A call with a condition or a guard must not be served as if it had none. */
const closed = { api, isQueryClosed: true } as const;

const contentCodes = [
  codes.ruleDuplicate,
  codes.ruleFilterNotFound,
  codes.ruleNotEntitled,
  codes.ruleProductsMisplaced,
  codes.ruleProductsMissing,
];
const updateCodes = [...contentCodes, codes.ruleNotFound];
export const firewallRuleCreationCodes = [
  ...filterCreationCodes,
  ...contentCodes,
  codes.ruleFilterDuplicate,
  codes.ruleFilterMissing,
  codes.ruleFilterContradicted,
  codes.ruleRepeated,
  codes.ruleQuotaExceeded,
];

export const firewallRuleOperations = {
  'firewallRules.create': operation('POST /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'Create firewall rules, with filters that exist or together with their filters',
    body: arrayOrOne(examined(ruleToCreate), { min: 1, max: batchMax }),
    result: rulesSchema,
    codes: firewallRuleCreationCodes,
  }),
  'firewallRules.list': operation('GET /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'List firewall rules in the order of evaluation',
    query: {
      id: textParameter(),
      action: choiceParameter(firewallRuleActions),
      description: textParameter(partDescription),
      paused: flagParameter(),
      ...pageParameters({ fallback: 25, max: 100 }),
    },
    result: rulesSchema,
  }),
  'firewallRules.get': operation('GET /zones/{zone_id}/firewall/rules/{rule_id}', {
    summary: 'Get a firewall rule',
    result: ruleSchema,
    codes: [codes.ruleNotFound],
  }),
  'firewallRules.update': operation('PUT /zones/{zone_id}/firewall/rules/{rule_id}', {
    ...closed,
    summary: 'Replace a firewall rule; its filter stays as it is',
    body: examined(firewallRule),
    result: ruleSchema,
    codes: [...updateCodes, codes.ruleIdMismatch],
  }),
  'firewallRules.updateMany': operation('PUT /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'Replace several firewall rules in one transaction',
    body: arrayOrOne(examined(ruleOfMany), { min: 1, max: updatesMax }),
    result: rulesSchema,
    codes: [...updateCodes, codes.ruleRepeated],
  }),
  'firewallRules.except': operation('POST /zones/{zone_id}/firewall/rules/{rule_id}/exceptions', {
    ...closed,
    summary:
      'Exclude requests from a firewall rule, keeping the rest of its filter; or all requests, which pauses it',
    body: named(
      'FirewallRuleException',
      object({
        expression: optional(
          annotate(filterContent.expression, {
            description:
              'The requests that the rule no longer acts on; all if not given. A filter that other rules use stays as it is: the rule gets its own.',
          }),
        ),
      }),
    ),
    result: ruleSchema,
    isOurs: true,
    codes: [codes.ruleNotFound, codes.ruleFilterNotFound, ...filterCreationCodes],
  }),
  'firewallRules.edit': operation('PATCH /zones/{zone_id}/firewall/rules/{rule_id}', {
    ...closed,
    summary: 'Change the priority of a firewall rule',
    body: examined(priorityToUpdate),
    result: rulesSchema,
    codes: [codes.ruleNotFound, codes.ruleDuplicate, codes.ruleIdMismatch],
  }),
  'firewallRules.editMany': operation('PATCH /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'Change the priorities of several firewall rules in one transaction',
    body: arrayOrOne(examined(priorityOfMany), { min: 1, max: batchMax }),
    result: rulesSchema,
    codes: [codes.ruleNotFound, codes.ruleDuplicate, codes.ruleRepeated],
  }),
  'firewallRules.delete': operation('DELETE /zones/{zone_id}/firewall/rules/{rule_id}', {
    ...closed,
    summary:
      'Delete a firewall rule, and its filter if requested or if it was created with a rule, unless another rule uses it',
    query: { delete_filter_if_unused: deleteFilterParameter },
    body: optional(deletion),
    result: deletedRuleSchema,
    codes: [codes.ruleIdMismatch],
  }),
  'firewallRules.deleteMany': operation('DELETE /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'Delete several firewall rules in one transaction, named in the query or in the body',
    query: { id: repeatedParameter({ max: deletionsMax }), delete_filter_if_unused: deleteFilterParameter },
    body: optional(arrayOrOne(deletion, { max: deletionsMax })),
    result: listOf(deletedRuleSchema),
  }),
};

/** Firewall rules: what to do with requests that match a filter. */
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  examined,
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
  type JsonSchema,
  type Shape,
  array,
  arrayOrOne,
  object,
  optional,
} from '#shapes';
import { deletionsMax, filterContent, filterSchema, identifier, partDescription } from './filters.ts';

const api = 'firewallrules';
const read: readonly Permission[] = ['firewallServicesRead', 'firewallServicesWrite'];
const write: readonly Permission[] = ['firewallServicesWrite'];

/** Rules in one call that creates them or changes their priorities. */
const batchMax = 100;

/** The original documents this bound of a bulk update. */
const updatesMax = 25;

const actions = [
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'allow',
  'log',
  'bypass',
] as const;
type Action = (typeof actions)[number];

const products = ['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf'] as const;

/** The words of rate limits. */
const modes: Readonly<Record<string, Action>> = { ban: 'block', simulate: 'log' };

/** The official TypeScript client types the action as that of rate limits, `{ mode: 'ban' }`, and sends what it is given. */
const named = choice(actions);
const mode = object({ mode: choice([...actions, 'ban', 'simulate']) });
const action: Shape<Action> = {
  schema: { anyOf: [named.schema, mode.schema] },
  read(value, pointer, problems) {
    if (typeof value !== 'object' || value === null) return named.read(value, pointer, problems);
    const { mode: word } = mode.read(value, pointer, problems);
    return modes[word] ?? (word as Action);
  },
};

const priority = nullable(integer({ min: 0, max: 2_147_483_647 }));

/** Clients send whole rules back. What differs from what the server has is told, and never taken. */
const sentBack = optional(unread({ readOnly: true }));

const content = {
  action,
  paused: optional(flag()),
  description: optional(nullable(text({ max: 500 }))),
  ref: optional(nullable(text({ max: 50 }))),
  priority: optional(priority),
  products: optional(nullable(array(choice(products), { max: products.length }))),
  created_on: sentBack,
  modified_on: sentBack,
};

/** A filter that exists, if it has an id, and then nothing else is taken; otherwise one to be created with the rule. */
const filterOrReference = object({
  ...filterContent,
  expression: optional(filterContent.expression),
  id: optional(text({ max: 32 })),
  deleted: sentBack,
});
const filterReference = object({
  id: identifier,
  expression: sentBack,
  paused: sentBack,
  description: sentBack,
  ref: sentBack,
  deleted: sentBack,
});

const ruleToCreate = examined(
  object({ ...content, filter: filterOrReference, id: optional(text({ max: 32 })) }),
);
/** A rule with a filter that exists. */
export const firewallRule = object({ ...content, filter: filterReference, id: optional(identifier) });
const ruleToUpdate = examined(firewallRule);
const ruleOfMany = examined(object({ ...content, filter: filterReference, id: identifier }));
const priorityToUpdate = examined(object({ id: optional(identifier), priority: optional(priority) }));
const priorityOfMany = examined(object({ id: identifier, priority: optional(priority) }));

const deletion = object({ id: optional(identifier), delete_filter_if_unused: optional(flag()) });
interface Deletion {
  readonly id?: string;
  readonly delete_filter_if_unused?: boolean;
}

const deletedFilterSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'deleted'],
  properties: { id: { type: 'string' }, deleted: { const: true } },
};
const ruleSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'paused', 'action', 'priority', 'filter', 'created_on', 'modified_on'],
  properties: {
    id: { type: 'string' },
    paused: { type: 'boolean' },
    description: { type: 'string' },
    action: named.schema,
    priority: priority.schema,
    products: { type: 'array', items: { enum: products } },
    filter: { anyOf: [filterSchema, deletedFilterSchema] },
    ref: { type: 'string' },
    created_on: { type: 'string', format: 'date-time' },
    modified_on: { type: 'string', format: 'date-time' },
  },
};
const rulesSchema: JsonSchema = { type: 'array', items: ruleSchema };
const deletedRuleSchema: JsonSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, filter: deletedFilterSchema },
};

const deleteFilterParameter = flagParameter(
  'The same as in the body, for clients that send none. Default: true for filters that came inside of a rule.',
);

/** A client that relies on a condition or a guard must not be served without it. */
const closed = { api, isQueryClosed: true } as const;

export const firewallRuleOperations = {
  'firewallRules.create': operation('POST /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'Create firewall rules, with filters that exist or together with their filters',
    permissions: write,
    body: arrayOrOne(ruleToCreate, { max: batchMax }),
    result: rulesSchema,
  }),
  'firewallRules.list': operation('GET /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'List firewall rules in the order in which requests meet them',
    permissions: read,
    query: {
      id: textParameter(),
      action: choiceParameter(actions),
      description: textParameter(partDescription),
      paused: flagParameter(),
      ...pageParameters({ fallback: 25, max: 100 }),
    },
    result: rulesSchema,
  }),
  'firewallRules.get': operation('GET /zones/{zone_id}/firewall/rules/{rule_id}', {
    api,
    summary: 'Get a firewall rule',
    permissions: read,
    result: ruleSchema,
  }),
  'firewallRules.update': operation('PUT /zones/{zone_id}/firewall/rules/{rule_id}', {
    ...closed,
    summary: 'Replace a firewall rule; its filter stays as it is',
    permissions: write,
    body: ruleToUpdate,
    result: ruleSchema,
  }),
  'firewallRules.updateMany': operation('PUT /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'Replace several firewall rules in one transaction',
    permissions: write,
    body: arrayOrOne(ruleOfMany, { max: updatesMax }),
    result: rulesSchema,
  }),
  'firewallRules.edit': operation('PATCH /zones/{zone_id}/firewall/rules/{rule_id}', {
    ...closed,
    summary: 'Change the priority of a firewall rule',
    permissions: write,
    body: priorityToUpdate,
    result: rulesSchema,
  }),
  'firewallRules.editMany': operation('PATCH /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'Change the priorities of several firewall rules in one transaction',
    permissions: write,
    body: arrayOrOne(priorityOfMany, { max: batchMax }),
    result: rulesSchema,
  }),
  'firewallRules.delete': operation('DELETE /zones/{zone_id}/firewall/rules/{rule_id}', {
    ...closed,
    summary:
      'Delete a firewall rule, and its filter if asked to, or if it came inside of a rule, and no other rule uses it',
    permissions: write,
    query: { delete_filter_if_unused: deleteFilterParameter },
    body: optional<Deletion | undefined>(deletion),
    result: deletedRuleSchema,
  }),
  'firewallRules.deleteMany': operation('DELETE /zones/{zone_id}/firewall/rules', {
    ...closed,
    summary: 'Delete several firewall rules in one transaction, named in the query or in the body',
    permissions: write,
    query: { id: repeatedParameter({ max: deletionsMax }), delete_filter_if_unused: deleteFilterParameter },
    body: optional<readonly Deletion[] | undefined>(arrayOrOne(deletion, { max: deletionsMax })),
    result: { type: 'array', items: deletedRuleSchema },
  }),
};

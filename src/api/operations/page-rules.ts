/** Page rules: other settings where a URL matches. */
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  orderParameters,
  choiceParameter,
  choice,
  integer,
  nullable,
  text,
  unread,
  type JsonSchema,
  array,
  ignored,
  object,
  optional,
} from '#shapes';

const api = 'pagerules';
const read: readonly Permission[] = ['pageRulesRead', 'pageRulesWrite'];
const write: readonly Permission[] = ['pageRulesWrite'];

const target = object({
  target: choice(['url']),
  constraint: object({
    operator: choice(['matches']),
    value: text({ min: 1, max: 1024, description: 'A URL with stars: `*example.com/images/*`.' }),
  }),
});
const action = object({
  id: text({ min: 1, max: 60 }),
  value: optional(unread({ description: 'What kind of value depends on the action.' })),
});
const targets = array(target, { min: 1, max: 1 });
/** There are not so many kinds, and each may come once. */
const actions = array(action, { min: 1, max: 50 });

/** Some clients send the whole rule back. */
const rest = {
  priority: optional(integer({ min: 0, max: 1_000_000_000 })),
  status: optional(choice(['active', 'disabled'])),
  id: ignored(),
  created_on: ignored(),
  modified_on: ignored(),
};
const pageRule = object({ targets, actions, ...rest });

const pageRuleSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'targets', 'actions', 'priority', 'status', 'created_on', 'modified_on'],
  properties: {
    id: { type: 'string' },
    targets: targets.schema,
    actions: actions.schema,
    priority: { type: 'integer', description: 'The highest of those whose URL matches applies.' },
    status: { enum: ['active', 'disabled'] },
    created_on: { type: 'string', format: 'date-time' },
    modified_on: { type: 'string', format: 'date-time' },
  },
};

export const pageRuleOperations = {
  'pageRules.create': operation('POST /zones/{zone_id}/pagerules', {
    api,
    summary: 'Create a page rule',
    permissions: write,
    body: pageRule,
    result: pageRuleSchema,
  }),
  'pageRules.list': operation('GET /zones/{zone_id}/pagerules', {
    api,
    summary: 'List page rules',
    permissions: read,
    query: {
      status: choiceParameter(['active', 'disabled'], 'Default: both.'),
      ...orderParameters(['priority', 'status']),
    },
    result: { type: 'array', items: pageRuleSchema },
  }),
  'pageRules.get': operation('GET /zones/{zone_id}/pagerules/{pagerule_id}', {
    api,
    summary: 'Get a page rule',
    permissions: read,
    result: pageRuleSchema,
  }),
  'pageRules.update': operation('PUT /zones/{zone_id}/pagerules/{pagerule_id}', {
    api,
    summary: 'Replace a page rule',
    permissions: write,
    body: pageRule,
    result: pageRuleSchema,
  }),
  'pageRules.edit': operation('PATCH /zones/{zone_id}/pagerules/{pagerule_id}', {
    api,
    summary: 'Change parts of a page rule',
    permissions: write,
    // The SDK for Go sends null for what shall stay.
    body: object({ targets: optional(nullable(targets)), actions: optional(nullable(actions)), ...rest }),
    result: pageRuleSchema,
  }),
  'pageRules.delete': operation('DELETE /zones/{zone_id}/pagerules/{pagerule_id}', {
    api,
    summary: 'Delete a page rule',
    permissions: write,
    result: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  }),
};

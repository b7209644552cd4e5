/** Page rules: other settings where a URL matches. */
import { pageRuleCodes as codes } from '../codes/page-rules.ts';
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  named,
  orderParameters,
  choiceParameter,
  choice,
  integer,
  nullable,
  text,
  unread,
  deleted,
  listOf,
  array,
  ignored,
  object,
  optional,
  record,
  string,
  whole,
  annotate,
  timestamp,
} from '#shapes';

const common = { api: 'pagerules', carriesMessages: false } as const;
const read: readonly Permission[] = ['pageRulesRead', 'pageRulesWrite'];
const write: readonly Permission[] = ['pageRulesWrite'];

const constraint = named(
  'PageRuleConstraint',
  object({
    operator: choice(['matches']),
    value: text({ min: 1, max: 1024, description: 'A URL with stars: `*example.com/images/*`.' }),
  }),
);
const target = named('PageRuleTarget', object({ target: choice(['url']), constraint }));
const action = named(
  'PageRuleAction',
  object({
    id: text({ min: 1, max: 60 }),
    value: optional(unread({ description: 'What kind of value depends on the action.' })),
  }),
);
const targets = array(target, { min: 1, max: 1 });
/** There are fewer kinds than this, and each may occur once. */
const actions = array(action, { min: 1, max: 50 });

const statuses = ['active', 'disabled'] as const;
const status = choice(statuses);
/** Some clients send the whole rule back. */
const rest = {
  priority: optional(integer({ min: 0, max: 1_000_000_000 })),
  status: optional(status),
  id: ignored(),
  created_on: ignored(),
  modified_on: ignored(),
};
const pageRule = named('NewPageRule', object({ targets, actions, ...rest }));
// The SDK for Go sends null for fields that should not change.
const pageRuleToEdit = named(
  'PageRuleEdit',
  object({ targets: optional(nullable(targets)), actions: optional(nullable(actions)), ...rest }),
);

const pageRuleSchema = named(
  'PageRule',
  record({
    id: string,
    targets,
    actions,
    priority: annotate(whole, { description: 'The highest of those whose URL matches applies.' }),
    status,
    created_on: timestamp,
    modified_on: timestamp,
  }),
);

export const pageRuleOperations = {
  'pageRules.create': operation('POST /zones/{zone_id}/pagerules', {
    ...common,
    summary: 'Create a page rule',
    permissions: write,
    body: pageRule,
    result: pageRuleSchema,
    codes: [codes.pageRuleInvalid, codes.pageRuleQuota],
  }),
  'pageRules.list': operation('GET /zones/{zone_id}/pagerules', {
    ...common,
    summary: 'List page rules',
    permissions: read,
    query: {
      status: choiceParameter(statuses, 'Default: both.'),
      ...orderParameters(['priority', 'status']),
    },
    result: listOf(pageRuleSchema),
  }),
  'pageRules.get': operation('GET /zones/{zone_id}/pagerules/{pagerule_id}', {
    ...common,
    summary: 'Get a page rule',
    permissions: read,
    result: pageRuleSchema,
    codes: [codes.pageRuleNotFound],
  }),
  'pageRules.update': operation('PUT /zones/{zone_id}/pagerules/{pagerule_id}', {
    ...common,
    summary: 'Replace a page rule',
    permissions: write,
    body: pageRule,
    result: pageRuleSchema,
    codes: [codes.pageRuleNotFound, codes.pageRuleInvalid],
  }),
  'pageRules.edit': operation('PATCH /zones/{zone_id}/pagerules/{pagerule_id}', {
    ...common,
    summary: 'Change parts of a page rule',
    permissions: write,
    body: pageRuleToEdit,
    result: pageRuleSchema,
    codes: [codes.pageRuleNotFound, codes.pageRuleInvalid],
  }),
  'pageRules.delete': operation('DELETE /zones/{zone_id}/pagerules/{pagerule_id}', {
    ...common,
    summary: 'Delete a page rule',
    permissions: write,
    result: deleted,
    codes: [codes.pageRuleNotFound],
  }),
};

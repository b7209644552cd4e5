/** Zone lockdown: URLs that only some addresses may request. */
import { lockdownCodes as codes } from '../codes/lockdowns.ts';
import { priorityMax } from '#rulesets';
import { operationsOf } from '../operation.ts';
import {
  annotate,
  array,
  choice,
  deleted,
  flag,
  ignored,
  integer,
  listOf,
  named,
  nullable,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  textParameter,
  timestamp,
  whole,
} from '#shapes';

const operation = operationsOf({
  api: 'zonelockdown',
  read: ['firewallServicesRead', 'firewallServicesWrite'],
  write: ['firewallServicesWrite'],
});

const target = choice(['ip', 'ip_range']);
const configuration = named(
  'LockdownConfiguration',
  object({ target, value: text({ min: 1, max: 64, description: 'An address, or a network.' }) }),
);
/** The SDK for Go sends the whole rule. */
const body = named(
  'NewLockdown',
  object({
    urls: array(text({ min: 1, max: 1024, description: 'A URL with stars: `example.com/admin/*`.' }), {
      min: 1,
      max: 100,
    }),
    configurations: array(configuration, { min: 1, max: 1000 }),
    description: optional(nullable(text({ max: 1024 }))),
    paused: optional(flag()),
    priority: optional(nullable(integer({ min: 0, max: priorityMax }))),
    id: ignored(),
    created_on: ignored(),
    modified_on: ignored(),
  }),
);
const result = named(
  'Lockdown',
  record({
    id: string,
    paused: flag(),
    description: optional(string),
    urls: listOf(string),
    configurations: listOf(named('LockdownAddress', record({ target, value: string }))),
    priority: optional(
      annotate(whole, {
        description: 'Of the rules whose URL matches, the one with the lowest value decides.',
      }),
    ),
    created_on: timestamp,
    modified_on: timestamp,
  }),
);

const path = '/zones/{zone_id}/firewall/lockdowns';
const contentCodes = [codes.lockdownDuplicate, codes.lockdownInvalid, codes.lockdownQuota];

export const lockdownOperations = {
  'lockdowns.list': operation(`GET ${path}`, {
    summary: 'List zone lockdown rules in the order of evaluation',
    query: {
      description: textParameter('A substring.'),
      description_search: textParameter('The same as `description`.'),
      ip: textParameter('An address as it stands in a rule.'),
      ip_search: textParameter('The same as `ip`.'),
      ip_range_search: textParameter('A network as it stands in a rule.'),
      uri_search: textParameter('A substring of a URL.'),
      ...pageParameters({ fallback: 20, max: 100 }),
    },
    result: listOf(result),
  }),
  'lockdowns.create': operation(`POST ${path}`, {
    summary: 'Create a zone lockdown rule',
    body,
    result,
    codes: contentCodes,
  }),
  'lockdowns.get': operation(`GET ${path}/{lock_downs_id}`, {
    summary: 'Get a zone lockdown rule',
    result,
    codes: [codes.lockdownNotFound],
  }),
  'lockdowns.update': operation(`PUT ${path}/{lock_downs_id}`, {
    summary: 'Replace a zone lockdown rule',
    body,
    result,
    codes: [codes.lockdownNotFound, codes.lockdownDuplicate, codes.lockdownInvalid],
  }),
  'lockdowns.delete': operation(`DELETE ${path}/{lock_downs_id}`, {
    summary: 'Delete a zone lockdown rule',
    result: deleted,
    codes: [codes.lockdownNotFound],
  }),
};

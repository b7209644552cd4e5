/** User agent rules: what to do with clients that send exactly this `User-Agent`. */
import { userAgentRuleCodes as codes } from '../codes/user-agent-rules.ts';
import { challengeKinds } from '#rulesets';
import { operationsOf } from '../operation.ts';
import {
  choice,
  deleted,
  flag,
  flagParameter,
  ignored,
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
} from '#shapes';

const operation = operationsOf({
  api: 'firewalluablock',
  read: ['firewallServicesRead', 'firewallServicesWrite'],
  write: ['firewallServicesWrite'],
});

const mode = named('UserAgentRuleMode', choice(['block', ...challengeKinds]));
const body = named(
  'NewUserAgentRule',
  object({
    mode,
    configuration: named(
      'UserAgentRuleConfiguration',
      object({
        target: optional(choice(['ua'])),
        value: text({ min: 1, max: 1024, description: 'The whole `User-Agent`; a star is taken literally.' }),
      }),
    ),
    description: optional(nullable(text({ max: 1024 }))),
    paused: optional(flag()),
    id: ignored(),
  }),
);
const result = named(
  'UserAgentRule',
  record({
    id: string,
    paused: flag(),
    description: optional(string),
    mode,
    configuration: named('UserAgentRuleTarget', record({ target: choice(['ua']), value: string })),
  }),
);

const path = '/zones/{zone_id}/firewall/ua_rules';

export const userAgentRuleOperations = {
  'userAgentRules.list': operation(`GET ${path}`, {
    summary: 'List user agent rules',
    query: {
      description: textParameter('A substring.'),
      description_search: textParameter('The same as `description`.'),
      paused: flagParameter(),
      user_agent: textParameter('A substring of the user agent.'),
      ua_search: textParameter('The same as `user_agent`.'),
      ...pageParameters({ fallback: 20, max: 100 }),
    },
    result: listOf(result),
  }),
  'userAgentRules.create': operation(`POST ${path}`, {
    summary: 'Create a user agent rule',
    body,
    result,
    codes: [codes.userAgentRuleDuplicate, codes.userAgentRuleQuota],
  }),
  'userAgentRules.get': operation(`GET ${path}/{ua_rule_id}`, {
    summary: 'Get a user agent rule',
    result,
    codes: [codes.userAgentRuleNotFound],
  }),
  'userAgentRules.update': operation(`PUT ${path}/{ua_rule_id}`, {
    summary: 'Replace a user agent rule',
    body,
    result,
    codes: [codes.userAgentRuleNotFound, codes.userAgentRuleDuplicate],
  }),
  'userAgentRules.delete': operation(`DELETE ${path}/{ua_rule_id}`, {
    summary: 'Delete a user agent rule',
    result: deleted,
    codes: [codes.userAgentRuleNotFound],
  }),
};

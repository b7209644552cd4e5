import { codes } from '../code.ts';

export const userAgentRuleCodes = codes({
  userAgentRuleNotFound: {
    code: 10001,
    status: 404,
    message: 'firewalluablock.api.not_found: there is no user agent rule {rule}',
    advice: 'List the rules with GET /zones/{zone_id}/firewall/ua_rules.',
  },
  userAgentRuleDuplicate: {
    code: 10009,
    status: 400,
    message: 'firewalluablock.api.duplicate_of_existing',
    advice: 'A rule for this user agent exists; `meta.id` is its id. Change that one with PUT.',
  },
  userAgentRuleQuota: {
    code: 10011,
    status: 400,
    message: 'firewalluablock.api.not_entitled.max_rules: the plan of the zone includes {max}',
    advice: 'Delete rules, change the plan of the zone, or write a custom rule with `http.user_agent`.',
  },
});

import { codes } from '../code.ts';

export const pageRuleCodes = codes({
  pageRuleNotFound: {
    code: 1002,
    status: 400,
    message: 'Invalid Page Rule identifier',
    advice: 'List the page rules with GET /zones/{zone_id}/pagerules.',
  },
  pageRuleInvalid: {
    code: 1004,
    status: 400,
    message: 'Page Rule validation failed: See messages for details.',
    advice: 'Each of `messages` names a part of the rule and the problem.',
  },
  pageRuleQuota: {
    code: 1010,
    status: 400,
    message: 'Page Rule quota reached: the plan of the zone includes {max}',
    advice: 'Delete page rules (disabled ones count too), or change the plan of the zone.',
  },
});

import { codes } from '../code.ts';

export const accessRuleCodes = codes({
  accessRuleNotFound: {
    code: 10001,
    status: 404,
    message: 'firewallaccessrules.api.not_found: there is no IP access rule {rule} here',
    advice:
      'List the rules with GET …/firewall/access_rules/rules. Rules of a zone, of the account and of a user have different paths.',
  },
  // The exact wording matters: programs that ban addresses compare it.
  accessRuleDuplicate: {
    code: 10009,
    status: 400,
    message: 'firewallaccessrules.api.duplicate_of_existing',
    advice: 'A rule for the same target exists; `meta.id` is its id. Change it with PATCH.',
  },
  accessRuleNotEntitled: {
    code: 10010,
    status: 400,
    message: 'firewallaccessrules.api.not_entitled: {reason}',
    advice: 'Use another mode, a custom rule (`ip.src.country`), or change the plan of the zone.',
  },
  accessRuleQuota: {
    code: 10011,
    status: 400,
    message: 'firewallaccessrules.api.not_entitled.max_rules: there can be {max} IP access rules',
    advice: 'Delete rules, or put the addresses into a list that a custom rule names.',
  },
  accessRuleInvalid: {
    code: 10018,
    status: 400,
    message: 'firewallaccessrules.api.validation_error: configuration.value {reason}',
    advice: 'The message lists the values that the target accepts.',
  },
  accessRuleFixed: {
    code: 10020,
    status: 400,
    message: 'firewallaccessrules.api.validation_error: the configuration of a rule cannot be changed',
    advice: 'Delete the rule and create another. Its mode and notes can be changed.',
  },
});

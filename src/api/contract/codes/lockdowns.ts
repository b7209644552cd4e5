import { codes } from '../code.ts';

export const lockdownCodes = codes({
  lockdownNotFound: {
    code: 10001,
    status: 404,
    message: 'zonelockdown.api.not_found: there is no zone lockdown rule {rule}',
    advice: 'List the rules with GET /zones/{zone_id}/firewall/lockdowns.',
  },
  lockdownDuplicate: {
    code: 10009,
    status: 400,
    message: 'zonelockdown.api.duplicate_of_existing',
    advice: 'A rule for the same URLs exists; `meta.id` is its id. Change that one with PUT.',
  },
  lockdownQuota: {
    code: 10011,
    status: 400,
    message: 'zonelockdown.api.not_entitled.max_rules: the plan of the zone includes {max}',
    advice: 'Delete rules, change the plan of the zone, or write a custom rule.',
  },
  lockdownInvalid: {
    code: 10018,
    status: 400,
    message: 'zonelockdown.api.validation_error: {reason}',
    advice: 'The pointer names the URL or the address, and the message the problem.',
  },
});

import { codes } from '../code.ts';

export const firewallRuleCodes = codes({
  ruleNotFound: {
    code: 10201,
    status: 404,
    message: 'firewallrules.api.not_found: there is no firewall rule {rule}',
    advice: 'List the rules of the zone with GET /zones/{zone_id}/firewall/rules.',
  },
  ruleFilterDuplicate: {
    code: 10202,
    status: 400,
    message: 'filter at index {index}: config duplicates an already existing config',
    advice:
      'A filter with this expression exists, and rules use it. Send `filter: { "id": … }` with the id of `meta.id` instead.',
  },
  ruleDuplicate: {
    code: 10203,
    status: 400,
    message: 'firewallrules.api.duplicate: config duplicates an already existing config',
    advice:
      'The rule `meta.id` has the same filter, action, products, priority and `paused`. Change that one.',
  },
  ruleFilterNotFound: {
    code: 10204,
    status: 400,
    message: 'firewallrules.api.filter_not_found: there is no filter {filter}',
    advice: 'Create the filter first, or send its expression inside the rule when you create the rule.',
  },
  ruleFilterMissing: {
    code: 10205,
    status: 400,
    message: 'firewallrules.api.filter_missing: the filter needs an id or an expression',
    advice: 'Send the `id` of a filter, or an `expression` to create a filter with the rule.',
  },
  ruleNotEntitled: {
    code: 10206,
    status: 400,
    message: 'firewallrules.api.not_entitled: {reason}',
    advice: 'Choose another action, or another plan for the zone.',
  },
  ruleProductsMisplaced: {
    code: 10207,
    status: 400,
    message: "products is only valid for the 'bypass' action",
    advice: 'Leave `products` out, or set the action to `bypass`.',
  },
  ruleProductsMissing: {
    code: 10208,
    status: 400,
    message: "products is required for the 'bypass' action",
    advice: 'List what the rule bypasses.',
  },
  ruleQuotaExceeded: {
    code: 10209,
    status: 400,
    message:
      'firewallrules.api.quota_exceeded: the {plan} plan includes {max} firewall rules; the zone has {count}, and {more} more were sent',
    advice:
      'Delete rules or change the plan. A filter that was sent inside a rule is kept: create its rule later with `filter: { "id": … }`.',
  },
  ruleFilterKept: {
    code: 10210,
    status: 400,
    message: 'filter {filter}, sent at {pointer}, is kept without its rule',
    advice: 'Comes as a message with 10209. Once there is room, create a rule with this `filter.id`.',
  },
  ruleIdMismatch: {
    code: 10211,
    status: 400,
    message: 'firewallrules.api.id_mismatch: the body and the path name different rules',
    advice: 'Leave `id` out of the body, or send the one from the path.',
  },
  ruleRepeated: {
    code: 10212,
    status: 400,
    message: 'firewallrules.api.repeated: the rule is in the body twice, first at {first}',
    advice: 'Send each rule once.',
  },
  ruleFilterTakenUp: {
    code: 10213,
    status: 200,
    message: 'filter {filter} has the expression of {pointer} and was unused: the rule now uses it',
    advice: 'Comes as a message, not as an error: no second filter was created.',
  },
  ruleFilterContradicted: {
    code: 10214,
    status: 400,
    message:
      'firewallrules.api.filter_contradicted: filter {filter} has a different expression than the one in the request',
    advice:
      'Send only `filter.id` to use the filter as it is, or only `filter.expression` for a filter with this expression.',
  },
  ruleFilterUntaken: {
    code: 10215,
    status: 200,
    message: '{place}: filter {filter} stays as it is; ignored: {fields}',
    advice:
      'Comes as a message, not as an error. A rule only names its filter: change the filter with PUT /filters/{id}.',
  },
  ruleFieldsUntaken: {
    code: 10216,
    status: 200,
    message: '{place}: only the server sets these fields; their values in the request are ignored: {fields}',
    advice: 'Comes as a message, not as an error. Read these fields from the response.',
  },
});

import { codes } from '../code.ts';

export const filterCodes = codes({
  filterNotFound: {
    code: 10001,
    status: 404,
    message: 'filters.api.filter_not_found: there is no filter {filter}',
    advice: 'List the filters of the zone with GET /zones/{zone_id}/filters.',
  },
  filterDuplicate: {
    code: 10102,
    status: 400,
    message: 'config duplicates an already existing config',
    advice: 'A filter with this expression exists; `meta.id` is its id. Use that one.',
  },
  filterInvalid: {
    code: 10103,
    status: 400,
    message: '{reason}',
    advice: 'The expression cannot be parsed; carets mark the place, followed by the reason.',
  },
  filterIdMismatch: {
    code: 10104,
    status: 400,
    message: 'filters.api.id_mismatch: the body and the path name different filters',
    advice: 'Leave `id` out of the body, or send the one from the path.',
  },
  filterNotEntitled: {
    code: 10105,
    status: 400,
    message: 'filters.api.not_entitled: {reason}',
    advice: 'Change the expression, or the plan of the zone.',
  },
  filterInline: {
    code: 10106,
    status: 400,
    message:
      'filters.api.created_inline: filter {filter} was created together with a firewall rule and cannot be changed or deleted while a rule uses it',
    advice:
      'Delete the rule that uses it (`meta.id`): the filter is deleted with its last rule. Or give that rule another `filter.id`, then change or delete this filter. With Terraform, replace both: `-replace` for the rule and for the filter.',
  },
  filterRepeated: {
    code: 10107,
    status: 400,
    message: 'filters.api.repeated: the filter is in the body twice, first at {first}',
    advice: 'Send each filter, and each expression, once.',
  },
  filterQuotaExceeded: {
    code: 10108,
    status: 400,
    message: 'filters.api.quota_exceeded: a zone can have {max} filters',
    advice: 'Delete filters that no rule uses.',
  },
  filterMissed: {
    code: 10109,
    status: 200,
    message:
      'filter {filter} is deleted; the firewall rules that used it match no request from now on ({count}): {rules}',
    advice:
      'Comes as a message, not as an error. Delete these rules, or give them another filter. With `if_unused=true` in the query such a deletion is refused.',
  },
  filterInUse: {
    code: 10110,
    status: 400,
    message: 'filters.api.in_use: firewall rules use filter {filter} ({count}): {rules}',
    advice:
      'Only with `if_unused=true`. Delete these rules first, or give them another filter; `meta.id` is the first of them.',
  },
  filterIdUntaken: {
    code: 10111,
    status: 200,
    message: 'filter at {place}: the server sets the id; the id in the request is ignored',
    advice:
      'Comes as a message, not as an error. Read the id from the response. To change a filter, use PUT /filters/{id}.',
  },
});

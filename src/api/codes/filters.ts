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
    advice: 'The expression cannot be read; the carets stand under the place, and the reason after them.',
  },
  filterIdMismatch: {
    code: 10104,
    status: 400,
    message: 'filters.api.id_mismatch: the body names another filter than the path',
    advice: 'Leave `id` out of the body, or send the one of the path.',
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
      'filters.api.created_inline: filter {filter} was created together with a firewall rule and cannot be changed or deleted by itself',
    advice:
      'Delete the rule that uses it (`meta.id`) with `delete_filter_if_unused`; if no rule does, create one with `filter.id` first. To have a filter that can be changed, create it through /filters and then its rule.',
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
    message: 'filter {filter} is deleted; firewall rules that refer to it and match nothing now: {count}',
    advice: 'Comes as a message, not as an error. Delete these rules, or give them another filter.',
  },
});

import { codes } from '../code.ts';

export const filterCodes = codes({
  filterNotFound: {
    code: 10001,
    status: 404,
    message: 'filters.api.filter_not_found',
    advice: 'There is no filter with this id in the zone. List them with GET /zones/{zone_id}/filters.',
  },
  filterIdMismatch: {
    code: 10104,
    status: 400,
    message: 'filters.api.id_mismatch: the body names another filter than the path',
    advice: 'Leave `id` out of the body, or send the one of the path.',
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
    message: '{text}',
    advice: 'The expression cannot be read; the carets stand under the place, and the reason after them.',
  },
  filterNotEntitled: {
    code: 10105,
    status: 400,
    message: 'filters.api.not_entitled: {feature} needs the plan {plan} or a larger one',
    advice: 'Change the expression, or the plan of the zone.',
  },
  filterInline: {
    code: 10106,
    status: 400,
    message: 'filters.api.created_inline: the filter was created together with firewall rule {rule}',
    advice:
      'Such a filter cannot be changed or deleted by itself. Delete its rule with `delete_filter_if_unused`, and create the filter first next time.',
  },
  filterRepeated: {
    code: 10107,
    status: 400,
    message: 'filters.api.repeated_id: the filter is in the body twice',
    advice: 'Name each filter once in a bulk update.',
  },
});

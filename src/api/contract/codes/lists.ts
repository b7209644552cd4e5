import { codes } from '../code.ts';

export const listCodes = codes({
  listNotFound: {
    code: 10001,
    status: 404,
    message: 'filters.api.list_not_found: there is no list {list}',
    advice: 'List them with GET /accounts/{account_id}/rules/lists.',
  },
  listItemNotFound: {
    code: 10002,
    status: 404,
    message: 'filters.api.list_item_not_found: the list has no item {item}',
    advice: 'Items get a new id when they are removed and added again. List them with GET …/items.',
  },
  listOperationNotFound: {
    code: 10003,
    status: 404,
    message: 'filters.api.bulk_operation_not_found: there is no bulk operation {operation}',
    advice: 'Only the results of the last 1,000 bulk operations are kept.',
  },
  listItemInvalid: {
    code: 10028,
    status: 400,
    message: 'filters.api.invalid_list_item: {reason}',
    advice: 'The pointer names the item. No item of the call was accepted.',
  },
  listNotEntitled: {
    code: 10029,
    status: 403,
    message: 'filters.api.list_not_entitled: a list of kind {kind} needs a zone with the plan {plan}',
    advice: 'Use a list of another kind, or upgrade a zone of the account.',
  },
  listQuotaExceeded: {
    code: 10030,
    status: 400,
    message: 'filters.api.list_quota_exceeded: the account may have {max} lists',
    advice: 'Delete a list. An account with a zone on a paid plan may have more.',
  },
  listInUse: {
    code: 10031,
    status: 400,
    message: 'filters.api.ip_list_in_use: {count} expressions name ${list}',
    advice: 'Remove the list from the filters and rules that name it, then delete it.',
  },
  listNameTaken: {
    code: 10032,
    status: 400,
    message: 'filters.api.list_name_taken: there is a list {list}',
    advice: '`meta.id` is its id. Use it, or choose another name.',
  },
  listOperationsPending: {
    code: 10033,
    status: 429,
    message: 'filters.api.bulk_operations_pending: {max} bulk operations are pending',
    advice: 'Wait until some are completed. Send many items in one call instead of one call per item.',
  },
  listDeletionInterrupted: {
    code: 10034,
    status: 503,
    message: 'filters.api.list_deletion_interrupted: another call was deleting the list at the same time',
    advice: 'Check whether the list still exists, and try again.',
  },
});

export const listSourceCodes = codes({
  listSourceNotFound: {
    code: 10070,
    status: 404,
    message: 'filters.api.list_source_not_found: the list {list} has no source',
    advice: 'Its items were added by hand. Set a source with PUT …/source.',
  },
  listSourceInvalid: {
    code: 10071,
    status: 400,
    message: 'filters.api.invalid_list_source: {reason}',
    advice: 'The pointer names the field, and the message the problem.',
  },
});

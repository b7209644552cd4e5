import { codes } from '../code.ts';

export const objectCodes = codes({
  objectNotFound: {
    code: 11301,
    status: 404,
    message: 'objects.api.not_found: {class} has no object {object}',
    advice:
      'List classes with GET /accounts/{account_id}/objects, and the objects of one with GET /accounts/{account_id}/objects/{class_name}.',
  },
  objectHasNoHistory: {
    code: 11302,
    status: 400,
    message:
      'objects.api.no_history: {class} has key-value storage, which has no tables and keeps no history',
    advice: 'Read its values, without `at`.',
  },
  objectMomentInvalid: {
    code: 11303,
    status: 400,
    message: 'objects.api.invalid_moment: {reason}',
    advice:
      'Take a bookmark from the history of the same object. Points leave the history when its retention is over.',
  },
  objectQueryFailed: {
    code: 11304,
    status: 400,
    message: 'objects.api.query_failed: {reason}',
    advice:
      'The same SQL is allowed as in the code of an object, and it may only read: what it writes to is a copy.',
  },
  objectQueryTooLong: {
    code: 11305,
    status: 400,
    message: 'objects.api.query_too_long: the query was stopped after {seconds} seconds',
    advice:
      'Ask for less, or run it with `gatehouse objects sql` on the machine of the server, which has no limit of time.',
  },
  objectsBusy: {
    code: 11306,
    status: 429,
    message: 'objects.api.busy: {count} copies of objects are being read already',
    advice: 'Try again in a few seconds.',
  },
  objectNotRestorable: {
    code: 11307,
    status: 400,
    message: 'objects.api.not_restorable: {reason}',
    advice:
      'Only the object of a zone that exists can be restored while the server runs. For others, use `gatehouse objects restore` on the machine of the server.',
  },
  objectNotConfirmed: {
    code: 11308,
    status: 400,
    message: 'objects.api.not_confirmed: `confirm` must be {name}, the name of the zone',
    advice: 'Restoring replaces everything that the zone has: repeat its name to say that you mean it.',
  },
});

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
      'Take a bookmark from the history of the same object. Points are removed from the history when its retention is over.',
  },
  objectQueryFailed: {
    code: 11304,
    status: 400,
    message: 'objects.api.query_failed: {reason}',
    advice:
      'The same SQL is allowed as in the code of an object. Queries run on a copy; send statements that write to `execute`.',
  },
  objectQueryTooLong: {
    code: 11305,
    status: 400,
    message: 'objects.api.query_too_long: the query was stopped after {seconds} seconds',
    advice:
      'Query less, or run it with `gatehouse objects sql` on the machine of the server, which has no time limit.',
  },
  objectsBusy: {
    code: 11306,
    status: 429,
    message: 'objects.api.busy: {count} copies of objects are already being read',
    advice: 'Try again in a few seconds.',
  },
  objectNotRestorable: {
    code: 11307,
    status: 400,
    message: 'objects.api.not_restorable: {reason}',
    advice:
      'Of the objects of `gatehouse serve`, only those of existing zones can be restored this way. For others, use `gatehouse objects restore` on the machine of the server.',
  },
  objectNotConfirmed: {
    code: 11308,
    status: 400,
    message: 'objects.api.not_confirmed: `confirm` must be {name}',
    advice:
      'To confirm, send the value of `confirm` of the object (the name of its zone, its own name, or the start of its id).',
  },
  objectNotChangeable: {
    code: 11309,
    status: 403,
    message: 'objects.api.not_changeable: the object must not be changed this way: {reason}',
    advice:
      'Objects of `gatehouse dev` can be changed. Those of `gatehouse serve` hold its own state: change it with the operations of the API, or see the setting `object_writes`.',
  },
  objectChanged: {
    code: 11310,
    status: 412,
    message: 'objects.api.changed: the value was changed in the meantime, and nothing was written',
    advice: 'Read the value again, and send its new `version`.',
  },
  objectChangeFailed: {
    code: 11311,
    status: 400,
    message: 'objects.api.change_failed: nothing was written: {reason}',
    advice:
      'The reason comes from the storage or the code of the object. An object whose constructor throws can be changed with `gatehouse objects sql --write`, which does not run its code.',
  },
  objectValueInvalid: {
    code: 11312,
    status: 400,
    message: 'objects.api.invalid_value: {reason}',
    advice:
      'A value is JSON; values that JSON lacks are written as an object with one name, such as {"$date": "2026-01-31T12:00:00Z"} or {"$map": [["key", 1]]}: see docs/reference/objects.md.',
  },
  objectValueNotFound: {
    code: 11313,
    status: 404,
    message: 'objects.api.value_not_found: the object has no value with this key',
    advice: 'List the keys with `GET …/values`.',
  },
  objectAlarmNotSet: {
    code: 11314,
    status: 404,
    message: 'objects.api.alarm_not_set: the object has no alarm',
    advice:
      'It may have run already. `GET /accounts/{account_id}/object_alarms` lists the alarms that are set.',
  },
  objectAlarmRunning: {
    code: 11315,
    status: 400,
    message: 'objects.api.alarm_running: the alarm of the object is running now',
    advice: 'Wait until it has finished.',
  },
  storyNotFound: {
    code: 11316,
    status: 404,
    message: 'stories.api.not_found: there is no such simulation report, or its file cannot be read',
    advice: 'Run `gatehouse simulate` again: it writes a report of each simulation that fails.',
  },
});

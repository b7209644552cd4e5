import { codes } from '../code.ts';

export const securityCodes = codes({
  eventNotFound: {
    code: 11101,
    status: 404,
    message: 'security.api.event_not_found: there is no event {event}',
    advice:
      'Events are deleted when the retention of the zone’s plan is over. Search with GET /zones/{zone_id}/security/events.',
  },
  timeInvalid: {
    code: 11102,
    status: 400,
    message: 'security.api.invalid_time: {reason}',
    advice: 'A time is RFC 3339 (`2026-01-31T12:00:00Z`) or an age (`90s`, `15m`, `24h`, `7d`).',
  },
  searchConditionInvalid: {
    code: 11103,
    status: 400,
    message: 'security.api.invalid_condition: {reason}',
    advice:
      'A condition is `field:operator:value`; operators are eq, neq, gt, geq, lt, leq, in, notin, like, notlike. `in` and `notin` take comma-separated values, `like` takes `%` for anything.',
  },
  searchExpressionInvalid: {
    code: 11104,
    status: 400,
    message: 'security.api.invalid_expression: {reason}',
    advice:
      'The expression cannot be parsed, or uses a field that events do not store; carets mark the place.',
  },
  cursorInvalid: {
    code: 11105,
    status: 400,
    message: 'security.api.invalid_cursor: the cursor is not one that this server returned',
    advice: 'Send `result_info.cursors.after` of the previous page unchanged, or leave the cursor out.',
  },
  dimensionInvalid: {
    code: 11106,
    status: 400,
    message: 'security.api.invalid_dimension: {reason}',
    advice: 'Events are grouped by their fields, each named once, and by intervals from a second to 30 days.',
  },
  tailsTooMany: {
    code: 11107,
    status: 429,
    message: 'security.api.too_many_tails: {count} are open already',
    advice: 'Close one, or search the events with GET /zones/{zone_id}/security/events.',
  },
  requestInvalid: {
    code: 11108,
    status: 400,
    message: 'security.api.invalid_request: {reason}',
    advice: 'The pointer names the part of the described request that no client could send.',
  },
  intervalInvalid: {
    code: 11109,
    status: 400,
    message: 'security.api.invalid_interval: {reason}',
    advice: 'Leave `interval` out to have it chosen from the time range.',
  },
  viewsTooMany: {
    code: 11111,
    status: 400,
    message: 'security.api.too_many_views: a zone can have {max} saved searches',
    advice: 'Delete one (DELETE /zones/{zone_id}/security/views/{view_id}), or save under an existing name.',
  },
  exceptionChanged: {
    code: 11110,
    status: 412,
    message:
      'security.api.exception_changed: Someone else has changed this rule since the exception was offered. Nothing was saved',
    advice:
      'List the exceptions of the event again (GET /zones/{zone_id}/security/events/{event_id}/exceptions), and choose one of them.',
  },
});

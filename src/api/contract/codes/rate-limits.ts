import { codes } from '../code.ts';

export const rateLimitCodes = codes({
  rateLimitNotFound: {
    code: 10001,
    status: 404,
    message: 'ratelimit.api.not_found: there is no rate limit {limit}',
    advice:
      'List them with GET /zones/{zone_id}/rate_limits. A rule of the phase http_ratelimit that was written or changed there may say more than a rate limit can, and is not shown.',
  },
  rateKeyNotFound: {
    code: 10022,
    status: 404,
    message: 'no host counts the key {id} now',
    advice:
      'List the keys with GET /zones/{zone_id}/rate_limit_keys. One whose period is over counts nothing, and one that was let go begins again.',
  },
  rateLimitDuplicate: {
    code: 10009,
    status: 400,
    message: 'ratelimit.api.duplicate_of_existing_ratelimit',
    advice: 'A rate limit for the same requests exists; `meta.id` is its id. Change that one with PUT.',
  },
  rateLimitInvalid: {
    code: 10018,
    status: 400,
    message: 'ratelimit.api.validation_error: {reason}',
    advice: 'The pointer names the field, and the message says what is wrong with it.',
  },
  rateLimitRefused: {
    code: 10010,
    status: 400,
    message: 'ratelimit.api.not_entitled: {reason}',
    advice:
      'The rule of the phase http_ratelimit that the rate limit would be is refused, mostly by the plan of the zone.',
  },
  rateLimitRounded: {
    code: 10021,
    status: 200,
    message: 'requests are counted in {period} s, which is nearest to {sent} s',
    advice:
      'Comes as a message, not as an error. Rules of the phase http_ratelimit know certain periods only.',
  },
});

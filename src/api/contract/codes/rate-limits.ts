import { codes } from '../code.ts';

export const rateLimitCodes = codes({
  rateLimitNotFound: {
    code: 10001,
    status: 404,
    message: 'ratelimit.api.not_found: there is no rate limit {limit}',
    advice:
      'List them with GET /zones/{zone_id}/rate_limits. Rules of the phase http_ratelimit that a rate limit cannot express are not shown.',
  },
  rateKeyNotFound: {
    code: 10022,
    status: 404,
    message: 'no host counts the key {id} now',
    advice:
      'List the keys with GET /zones/{zone_id}/rate_limit_keys. A key whose period is over has no counter, and a released key starts at zero.',
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
    advice: 'The pointer names the field, and the message the problem.',
  },
  rateLimitRefused: {
    code: 10010,
    status: 400,
    message: 'ratelimit.api.not_entitled: {reason}',
    advice:
      'The equivalent rule of the phase http_ratelimit is refused, usually because of the plan of the zone.',
  },
  rateLimitRounded: {
    code: 10021,
    status: 200,
    message: 'requests are counted over {period} s, the supported period nearest to {sent} s',
    advice:
      'Comes as a message, not as an error. Rules of the phase http_ratelimit support only certain periods.',
  },
});

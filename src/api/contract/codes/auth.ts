import { codes } from '../code.ts';

/** Authentication, permissions and limits on calls. */
export const authCodes = codes({
  credentialsMissing: {
    code: 9106,
    status: 400,
    message: 'Missing X-Auth-Key, X-Auth-Email or Authorization headers',
    advice: 'Send `Authorization: Bearer <token>`, or `X-Auth-Email` and `X-Auth-Key`.',
  },
  emailMissing: {
    code: 9106,
    status: 400,
    message: 'Missing X-Auth-Email header',
    advice: '`X-Auth-Key` works together with `X-Auth-Email`; for an API token use `Authorization: Bearer`.',
  },
  keyMissing: {
    code: 9107,
    status: 400,
    message: 'Missing X-Auth-Key header',
    advice: '`X-Auth-Email` works together with `X-Auth-Key`.',
  },
  headersInvalid: {
    code: 6003,
    status: 400,
    message: 'Invalid request headers',
    advice: '`error_chain` names the header. Each credential header is sent once.',
  },
  emailMalformed: {
    code: 6102,
    status: 400,
    message: 'Invalid format for X-Auth-Email header',
    advice: 'In the chain of 6003. Send one e-mail address.',
  },
  keyMalformed: {
    code: 6103,
    status: 400,
    message: 'Invalid format for X-Auth-Key header',
    advice:
      'In the chain of 6003. A key has 32 to 45 hexadecimal digits; an API token goes into `Authorization`.',
  },
  authorizationMalformed: {
    code: 6111,
    status: 400,
    message: 'Invalid format for Authorization header',
    advice: 'In the chain of 6003. Send `Bearer`, one space, and the token.',
  },
  credentialsConflicting: {
    code: 6112,
    status: 400,
    message: 'The Authorization header and X-Auth-Key are of different users',
    advice: 'In the chain of 6003. Send one of the two.',
  },
  keyUnknown: {
    code: 9103,
    status: 400,
    message: 'Unknown X-Auth-Key or X-Auth-Email',
    advice: 'No user has this address and key.',
  },
  tokenUnknown: {
    code: 9109,
    status: 403,
    message: 'Invalid access token',
    advice:
      'The token does not exist, is disabled, has expired or is not valid yet. GET /user/tokens/verify says which.',
  },
  addressRefused: {
    code: 9109,
    status: 403,
    message: 'Cannot use the access token from location: {address}',
    advice:
      'The token has a condition on addresses. Call from another one, or change `condition.request_ip`.',
  },
  tokenInvalid: {
    code: 1000,
    status: 401,
    message: 'Invalid API Token',
    advice: 'From GET /user/tokens/verify: no such token, or none was sent.',
  },
  notPermitted: {
    code: 10000,
    status: 403,
    message: 'Authentication error',
    advice:
      'The token is valid but has no permission for this operation on this zone, account or user: add the permission group to one of its policies. With 9109 in `error_chain` the token does not work at all; paths of accounts and Workers answer this way because Wrangler has an explanation for it.',
  },
  sessionEnded: {
    code: 10951,
    status: 401,
    message: 'auth.api.session_ended: the session of the dashboard has ended',
    advice:
      'Sign in again. A session ends after twelve hours, on sign-out, and when the token or key that opened it is revoked.',
  },
  csrfTokenMissing: {
    code: 10952,
    status: 403,
    message: 'auth.api.csrf_token_missing: a request with the cookie of a session needs its X-CSRF-Token',
    advice:
      'Programs send `Authorization: Bearer <token>` instead of a cookie. The page gets the token from GET /session.',
  },
  tooManyRequests: {
    code: 971,
    status: 429,
    message: 'Please wait and consider throttling your request speed',
    advice: 'Wait as many seconds as `Retry-After` says.',
  },
  memberNotFound: {
    code: 10930,
    status: 404,
    message: 'accounts.api.not_found: there is no {what} {id}',
    advice:
      'List the members with GET /accounts/{account_id}/members, and the roles with GET /accounts/{account_id}/roles.',
  },
});

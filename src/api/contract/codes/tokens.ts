import { codes } from '../code.ts';

export const tokenCodes = codes({
  tokenNotFound: {
    code: 1003,
    status: 404,
    message: 'tokens.api.token_not_found',
    advice:
      'There is no token with this id. List them with GET /user/tokens or GET /accounts/{account_id}/tokens.',
  },
  permissionGroupUnknown: {
    code: 1004,
    status: 400,
    message: 'tokens.api.unknown_permission_group: {id}',
    advice: 'GET /user/tokens/permission_groups lists the groups there are.',
  },
  resourceInvalid: {
    code: 1005,
    status: 400,
    message: 'tokens.api.invalid_resource: {reason}',
    advice:
      'Resources are `com.cloudflare.api.account.zone.<id>`, `com.cloudflare.api.account.<id>` and `com.cloudflare.api.user.<id>`, with `*` for every zone or account.',
  },
  resourceMissing: {
    code: 1006,
    status: 400,
    message: 'tokens.api.no_resource: {group} works on {scope}, and the policy has none',
    advice: 'Add a resource of that kind to the policy, or put the group into another one.',
  },
  tokenTooPowerful: {
    code: 1007,
    status: 403,
    message: 'tokens.api.too_powerful: the token that makes it {reason}',
    advice: 'A token can give only what it has itself. Use a more powerful token, or the key of the user.',
  },
  conditionInvalid: {
    code: 1008,
    status: 400,
    message: 'tokens.api.invalid_condition: {range} is no address and no CIDR range',
    advice: 'Write `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/32`.',
  },
  validityInvalid: {
    code: 1009,
    status: 400,
    message: 'tokens.api.invalid_validity: expires_on must be after not_before, and in the future',
    advice: 'Correct the two, or leave them out.',
  },
  tokensTooMany: {
    code: 1010,
    status: 400,
    message: 'tokens.api.too_many: there are {count} tokens already',
    advice: 'Delete those that are not used.',
  },
  groupsUnserved: {
    code: 1012,
    status: 200,
    message:
      'tokens.api.unserved_permission_groups: {names} are of products that are not served here and allow nothing',
    advice: 'Nothing has to be done: the groups are kept as they were sent. A message, not an error.',
  },
  conditionContradictory: {
    code: 1013,
    status: 400,
    message: 'tokens.api.invalid_condition: request_ip and request.ip say different things',
    advice: 'They are two spellings of one condition: send one of them, or both alike.',
  },
  tokenTooLarge: {
    code: 1011,
    status: 400,
    message: 'tokens.api.too_large: the policies and the condition have {bytes} bytes, more than {max}',
    advice:
      'Name zones together: `com.cloudflare.api.account.zone.*`, and a policy that denies the exceptions.',
  },
});

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
    advice: 'GET /user/tokens/permission_groups lists the groups.',
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
    message: 'tokens.api.no_resource: {group} applies to {scope}, but the policy has no such resource',
    advice: 'Add a resource of that kind to the policy, or put the group into another one.',
  },
  tokenTooPowerful: {
    code: 1007,
    status: 403,
    message: 'tokens.api.too_powerful: the token that creates it {reason}',
    advice:
      'A token can only grant permissions that it has itself. Use a more powerful token, or the key of the user.',
  },
  conditionInvalid: {
    code: 1008,
    status: 400,
    message: 'tokens.api.invalid_condition: {range} is neither an address nor a CIDR range',
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
      'tokens.api.unserved_permission_groups: {names} belong to products that are not available here and allow nothing',
    advice: 'Comes as a message, not as an error. Nothing to do: the groups are stored as they were sent.',
  },
  conditionContradictory: {
    code: 1013,
    status: 400,
    message: 'tokens.api.invalid_condition: request_ip and request.ip differ',
    advice: 'They are two spellings of one condition: send one of them, or the same value in both.',
  },
  tokenTooLarge: {
    code: 1011,
    status: 400,
    message: 'tokens.api.too_large: the policies and the condition have {bytes} bytes, more than {max}',
    advice: 'Combine zones: `com.cloudflare.api.account.zone.*`, and a policy that denies the exceptions.',
  },
});

/** API tokens: those of a user, and those of the account, which outlive its members. */
import { authCodes } from '../codes/auth.ts';
import { tokenCodes } from '../codes/tokens.ts';
import { type Operation, operationsOf } from '../operation.ts';
import { type Permission, scopeNames } from '../permissions.ts';
import {
  named,
  choiceParameter,
  flagParameter,
  pageParameters,
  textParameter,
  choice,
  nullable,
  text,
  moment,
  deleted,
  listOf,
  type Shape,
  type Shaped,
  array,
  ignored,
  map,
  mapOf,
  object,
  optional,
  record,
  string,
  timestamp,
  annotate,
} from '#shapes';

/** The account answers, and differently to different callers. */
const ofAccount = { answeredBy: 'account', isPersonal: true } as const;
const read: readonly Permission[] = ['tokensRead', 'tokensWrite'];
const operation = operationsOf({ api: 'tokens', read, write: ['tokensWrite'] });
const accountRead: readonly Permission[] = ['accountTokensRead', 'accountTokensWrite'];
const accountWrite: readonly Permission[] = ['accountTokensWrite'];

const policiesMax = 50;
const groupsMax = 100;
const resourcesMax = 500;
const rangesMax = 100;

const all = choice(['*']);
const allWithin = map(all, { max: resourcesMax });

/** The extent of a resource name: everything, or the resources named within it. */
const extent: Shape<'*' | Readonly<Record<string, '*'>>> = {
  schema: { anyOf: [all.schema, allWithin.schema] },
  read: (value, pointer, problems) =>
    (typeof value === 'object' ? allWithin : all).read(value, pointer, problems),
};

const permissionGroup = named(
  'PermissionGroupReference',
  object({ id: text({ min: 1, max: 32 }), name: ignored(), scopes: ignored(), meta: ignored() }),
);
const policyToWrite = object({
  id: ignored(),
  effect: choice(['allow', 'deny']),
  permission_groups: array(permissionGroup, { min: 1, max: groupsMax }),
  resources: map(extent, { max: resourcesMax }),
});
const policy = named('TokenPolicy', policyToWrite);

const statuses = ['active', 'disabled', 'expired'] as const;

const ranges = optional(nullable(array(text({ min: 2, max: 50 }), { max: rangesMax })));
const range = named('AddressCondition', object({ in: ranges, not_in: ranges }));
/** Two spellings of one condition: the documented one, and the one that clients for Go and Terraform know. */
const addresses = optional(nullable(range));
const condition = named('TokenCondition', object({ request_ip: addresses, 'request.ip': addresses }));

const content = {
  name: text({ min: 1, max: 120 }),
  policies: array(policy, { min: 1, max: policiesMax }),
  condition: optional(nullable(condition)),
  not_before: optional(nullable(moment())),
  expires_on: optional(nullable(moment())),
  status: optional(choice(statuses)),
};

/** Clients send back what they read. */
const readOnly = {
  id: ignored(),
  issued_on: ignored(),
  modified_on: ignored(),
  last_used_on: ignored(),
  creator_email_at_creation: ignored(),
};

const tokenToCreate = named('NewToken', object({ ...content, ...readOnly }));
const tokenToUpdate = named('TokenUpdate', object({ ...content, ...readOnly }));

export type GivenPolicy = Shaped<typeof policy>;
export type GivenToken = Shaped<typeof tokenToUpdate>;

const grantedPolicy = named(
  'GrantedPolicy',
  record({
    id: string,
    effect: choice(['allow', 'deny']),
    permission_groups: listOf(named('GrantedPermissionGroup', record({ id: string, name: string }))),
    resources: mapOf(extent),
  }),
);
const statusName = named('TokenState', choice(statuses));
const tokenSchema = named(
  'Token',
  record({
    id: string,
    name: string,
    status: statusName,
    issued_on: timestamp,
    modified_on: timestamp,
    last_used_on: optional(timestamp),
    not_before: optional(timestamp),
    expires_on: optional(timestamp),
    creator_email_at_creation: optional(string),
    policies: listOf(grantedPolicy),
    condition: optional(content.condition),
    value: optional(annotate(string, { description: 'The secret: returned only on creation.' })),
  }),
);
const valueSchema = named('TokenValue', annotate(string, { description: 'The secret: shown only now.' }));
const statusSchema = named(
  'TokenStatus',
  record({
    id: string,
    status: statusName,
    not_before: optional(timestamp),
    expires_on: optional(timestamp),
  }),
);
const groupsSchema = listOf(
  named(
    'PermissionGroup',
    record({ id: string, name: string, scopes: listOf(choice(Object.values(scopeNames))) }),
  ),
);

const contentCodes = [
  tokenCodes.permissionGroupUnknown,
  tokenCodes.resourceInvalid,
  tokenCodes.resourceMissing,
  tokenCodes.tokenTooPowerful,
  tokenCodes.conditionInvalid,
  tokenCodes.conditionContradictory,
  tokenCodes.validityInvalid,
  tokenCodes.tokenTooLarge,
];

const listQuery = {
  direction: choiceParameter(['asc', 'desc'], 'By the time they were issued.'),
  include_expired: flagParameter('Expired tokens too; they are listed unless this is false.'),
  ...pageParameters({ fallback: 20, max: 50 }),
};
const groupsQuery = {
  name: textParameter(),
  scope: textParameter(),
  is_served: flagParameter('Ours: only those that allow something here.'),
};

export const tokenOperations = {
  'tokens.list': operation('GET /user/tokens', {
    ...ofAccount,
    summary: 'List your tokens',
    query: listQuery,
    result: listOf(tokenSchema),
  }),
  'tokens.create': operation('POST /user/tokens', {
    ...ofAccount,
    summary: 'Create a token; its value is shown only once',
    body: tokenToCreate,
    result: tokenSchema,
    codes: [...contentCodes, tokenCodes.tokensTooMany],
  }),
  'tokens.get': operation('GET /user/tokens/{token_id}', {
    ...ofAccount,
    summary: 'Get a token',
    result: tokenSchema,
    codes: [tokenCodes.tokenNotFound],
  }),
  'tokens.update': operation('PUT /user/tokens/{token_id}', {
    ...ofAccount,
    summary: 'Replace a token; its value stays',
    body: tokenToUpdate,
    result: tokenSchema,
    codes: [...contentCodes, tokenCodes.tokenNotFound],
  }),
  'tokens.delete': operation('DELETE /user/tokens/{token_id}', {
    ...ofAccount,
    summary: 'Revoke a token for good',
    result: deleted,
    codes: [tokenCodes.tokenNotFound],
  }),
  'tokens.roll': operation('PUT /user/tokens/{token_id}/value', {
    ...ofAccount,
    summary: 'Give a token a new value; the old one becomes invalid immediately',
    result: valueSchema,
    codes: [tokenCodes.tokenNotFound, tokenCodes.tokenTooPowerful],
  }),
  'tokens.verify': operation('GET /user/tokens/verify', {
    ...ofAccount,
    summary: 'Verify the token of the request',
    permissions: [],
    result: statusSchema,
    codes: [authCodes.tokenInvalid],
  }),
  'tokens.listPermissionGroups': operation('GET /user/tokens/permission_groups', {
    ...ofAccount,
    summary: 'List the permission groups',
    carriesMessages: false,
    query: groupsQuery,
    result: groupsSchema,
  }),
  'accountTokens.list': operation('GET /accounts/{account_id}/tokens', {
    ...ofAccount,
    summary: 'List the tokens of the account',
    permissions: accountRead,
    query: listQuery,
    result: listOf(tokenSchema),
  }),
  'accountTokens.create': operation('POST /accounts/{account_id}/tokens', {
    ...ofAccount,
    summary: 'Create a token of the account; its value is shown only once',
    permissions: accountWrite,
    body: tokenToCreate,
    result: tokenSchema,
    codes: [...contentCodes, tokenCodes.tokensTooMany],
  }),
  'accountTokens.get': operation('GET /accounts/{account_id}/tokens/{token_id}', {
    ...ofAccount,
    summary: 'Get a token of the account',
    permissions: accountRead,
    result: tokenSchema,
    codes: [tokenCodes.tokenNotFound],
  }),
  'accountTokens.update': operation('PUT /accounts/{account_id}/tokens/{token_id}', {
    ...ofAccount,
    summary: 'Replace a token of the account; its value stays',
    permissions: accountWrite,
    body: tokenToUpdate,
    result: tokenSchema,
    codes: [...contentCodes, tokenCodes.tokenNotFound],
  }),
  'accountTokens.delete': operation('DELETE /accounts/{account_id}/tokens/{token_id}', {
    ...ofAccount,
    summary: 'Revoke a token of the account for good',
    permissions: accountWrite,
    result: deleted,
    codes: [tokenCodes.tokenNotFound],
  }),
  'accountTokens.roll': operation('PUT /accounts/{account_id}/tokens/{token_id}/value', {
    ...ofAccount,
    summary: 'Give a token of the account a new value; the old one becomes invalid immediately',
    permissions: accountWrite,
    result: valueSchema,
    codes: [tokenCodes.tokenNotFound, tokenCodes.tokenTooPowerful],
  }),
  'accountTokens.verify': operation('GET /accounts/{account_id}/tokens/verify', {
    ...ofAccount,
    summary: 'Verify the token of the request',
    permissions: [],
    result: statusSchema,
    codes: [authCodes.tokenInvalid],
  }),
  'accountTokens.listPermissionGroups': operation('GET /accounts/{account_id}/tokens/permission_groups', {
    ...ofAccount,
    summary: 'List the permission groups',
    carriesMessages: false,
    permissions: accountRead,
    query: groupsQuery,
    result: groupsSchema,
  }),
} satisfies Readonly<Record<string, Operation>>;

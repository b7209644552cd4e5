/** Accounts, their members and the roles of members; there is one of each. */
import { authCodes } from '../codes/auth.ts';
import { operation } from '../operation.ts';
import {
  named,
  pageParameters,
  textParameter,
  listOf,
  mapOf,
  nothing,
  nullable,
  record,
  string,
  choice,
  flag,
  optional,
  timestamp,
} from '#shapes';

/** The account answers, and differently to different callers. */
const common = {
  api: 'accounts',
  answeredBy: 'account',
  isPersonal: true,
  carriesMessages: false,
} as const;

export const accountSchema = named(
  'Account',
  record({
    id: string,
    name: string,
    type: choice(['standard']),
    settings: optional(named('AccountSettings', record({ enforce_twofactor: optional(flag()) }))),
    created_on: optional(timestamp),
  }),
);

const role = named(
  'AccountRole',
  record({
    id: string,
    name: string,
    description: string,
    permissions: mapOf(named('AccountRolePermission', record({ read: flag(), edit: flag() }))),
  }),
);
const member = named(
  'AccountMember',
  record({
    id: string,
    status: choice(['accepted']),
    email: string,
    user: named(
      'AccountMemberUser',
      record({
        id: string,
        email: string,
        first_name: nothing,
        last_name: nothing,
        two_factor_authentication_enabled: flag(),
      }),
    ),
    roles: listOf(role),
    policies: listOf(nullable(string)),
  }),
);
const people = { ...common, permissions: ['accountRead'] } as const;
const pages = pageParameters({ fallback: 20, max: 50 });

export const accountOperations = {
  'accounts.list': operation('GET /accounts', {
    ...common,
    summary: 'List the accounts',
    permissions: [],
    query: { name: textParameter(), ...pageParameters({ fallback: 20, max: 50 }) },
    result: listOf(accountSchema),
  }),
  'accounts.get': operation('GET /accounts/{account_id}', {
    ...common,
    summary: 'Get an account',
    permissions: ['accountRead'],
    result: accountSchema,
  }),
  'accounts.listMembers': operation('GET /accounts/{account_id}/members', {
    ...people,
    summary: 'List the members of the account; members cannot be invited',
    query: pages,
    result: listOf(member),
  }),
  'accounts.getMember': operation('GET /accounts/{account_id}/members/{member_id}', {
    ...people,
    summary: 'Get a member of the account',
    result: member,
    codes: [authCodes.memberNotFound],
  }),
  'accounts.listRoles': operation('GET /accounts/{account_id}/roles', {
    ...people,
    summary: 'List the roles of members: there is one, with all permissions',
    query: pages,
    result: listOf(role),
  }),
  'accounts.getRole': operation('GET /accounts/{account_id}/roles/{role_id}', {
    ...people,
    summary: 'Get a role',
    result: role,
    codes: [authCodes.memberNotFound],
  }),
};

/** The calling user. */
import { operation } from '../operation.ts';
import {
  named,
  textParameter,
  pageParameters,
  listOf,
  record,
  string,
  nothing,
  optional,
  flag,
  choice,
} from '#shapes';
import { accountSchema } from './accounts.ts';

const api = 'user';
/** The account answers, and differently to different callers. */
const ofAccount = { answeredBy: 'account', isPersonal: true } as const;

const userSchema = named(
  'User',
  record({
    id: string,
    email: string,
    first_name: optional(nothing),
    last_name: optional(nothing),
    telephone: optional(nothing),
    country: optional(nothing),
    zipcode: optional(nothing),
    two_factor_authentication_enabled: optional(flag()),
    two_factor_authentication_locked: optional(flag()),
    has_pro_zones: optional(flag()),
    has_business_zones: optional(flag()),
    has_enterprise_zones: optional(flag()),
    suspended: optional(flag()),
    organizations: optional(listOf(record({}))),
    betas: optional(listOf(string)),
  }),
);

const membershipSchema = named(
  'Membership',
  record({
    id: string,
    status: choice(['accepted']),
    account: accountSchema,
    roles: listOf(string),
    api_access_enabled: optional(flag()),
    permissions: optional(record({})),
  }),
);

export const userOperations = {
  'user.get': operation('GET /user', {
    ...ofAccount,
    api,
    summary: 'Get the user of these credentials',
    permissions: ['userRead'],
    result: userSchema,
  }),
  'memberships.list': operation('GET /memberships', {
    ...ofAccount,
    api,
    summary: 'List the accounts the user belongs to',
    scope: 'user',
    permissions: ['membershipsRead'],
    query: { 'account.name': textParameter(), ...pageParameters({ fallback: 20, max: 50 }) },
    result: listOf(membershipSchema),
  }),
};

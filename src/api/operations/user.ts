/** The person who calls. */
import { operation } from '../operation.ts';
import { named, textParameter, pageParameters, enumeration, listOf } from '#shapes';
import { accountSchema } from './accounts.ts';

const api = 'user';
/** The account answers, and differently to different callers. */
const ofAccount = { answeredBy: 'account', isPersonal: true } as const;

const userSchema = named('User', {
  type: 'object',
  required: ['id', 'email'],
  properties: {
    id: { type: 'string' },
    email: { type: 'string' },
    first_name: { type: 'null' },
    last_name: { type: 'null' },
    telephone: { type: 'null' },
    country: { type: 'null' },
    zipcode: { type: 'null' },
    two_factor_authentication_enabled: { type: 'boolean' },
    two_factor_authentication_locked: { type: 'boolean' },
    has_pro_zones: { type: 'boolean' },
    has_business_zones: { type: 'boolean' },
    has_enterprise_zones: { type: 'boolean' },
    suspended: { type: 'boolean' },
    organizations: listOf({ type: 'object' }),
    betas: listOf({ type: 'string' }),
  },
});

const membershipSchema = named('Membership', {
  type: 'object',
  required: ['id', 'status', 'account', 'roles'],
  properties: {
    id: { type: 'string' },
    status: enumeration(['accepted']),
    account: accountSchema,
    roles: listOf({ type: 'string' }),
    api_access_enabled: { type: 'boolean' },
    permissions: { type: 'object' },
  },
});

export const userOperations = {
  'user.get': operation('GET /user', {
    ...ofAccount,
    api,
    summary: 'Get the user whose credentials these are',
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

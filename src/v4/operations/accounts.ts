/** Accounts; there is one. */
import { operation } from '../operation.ts';
import { named } from '../shapes/named.ts';
import { pageParameters, textParameter } from '../shapes/parameters.ts';
import { enumeration, listOf, moment } from '../shapes/schemas.ts';

const api = 'accounts';

export const accountSchema = named('Account', {
  type: 'object',
  required: ['id', 'name', 'type'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    type: enumeration(['standard']),
    settings: named('AccountSettings', {
      type: 'object',
      properties: { enforce_twofactor: { type: 'boolean' } },
    }),
    created_on: moment,
  },
});

export const accountOperations = {
  'accounts.list': operation('GET /accounts', {
    api,
    summary: 'List the accounts',
    permissions: [],
    query: { name: textParameter(), ...pageParameters({ fallback: 20, max: 50 }) },
    result: listOf(accountSchema),
  }),
  'accounts.get': operation('GET /accounts/{account_id}', {
    api,
    summary: 'Get an account',
    permissions: ['accountRead'],
    result: accountSchema,
  }),
};

/** Accounts; there is one. */
import { operation } from '../operation.ts';
import { named, pageParameters, textParameter, enumeration, listOf, momentSchema } from '#shapes';

const api = 'accounts';
/** The account answers, and differently to different callers. */
const ofAccount = { answeredBy: 'account', isPersonal: true } as const;

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
    created_on: momentSchema,
  },
});

export const accountOperations = {
  'accounts.list': operation('GET /accounts', {
    ...ofAccount,
    api,
    summary: 'List the accounts',
    permissions: [],
    query: { name: textParameter(), ...pageParameters({ fallback: 20, max: 50 }) },
    result: listOf(accountSchema),
  }),
  'accounts.get': operation('GET /accounts/{account_id}', {
    ...ofAccount,
    api,
    summary: 'Get an account',
    permissions: ['accountRead'],
    result: accountSchema,
  }),
};

/** Accounts; there is one. */
import { operation } from '../operation.ts';
import {
  named,
  pageParameters,
  textParameter,
  listOf,
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
};

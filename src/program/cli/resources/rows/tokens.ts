import type { ResourceFamily } from '../resource-row.ts';

export const tokenFamily: ResourceFamily = {
  summary: 'Tokens of the API: your own, or with --account those of the account.',
  rows: [
    {
      name: 'tokens list',
      operation: 'tokens.list',
      accountOperation: 'accountTokens.list',
      columns: ['id', 'name', 'status', 'issued_on', 'expires_on', 'last_used_on'],
    },
    { name: 'tokens get', operation: 'tokens.get', accountOperation: 'accountTokens.get' },
    { name: 'tokens create', operation: 'tokens.create', accountOperation: 'accountTokens.create' },
    {
      name: 'tokens update',
      operation: 'tokens.update',
      accountOperation: 'accountTokens.update',
      current: { operation: 'tokens.get' },
    },
    { name: 'tokens delete', operation: 'tokens.delete', accountOperation: 'accountTokens.delete' },
    { name: 'tokens roll', operation: 'tokens.roll', accountOperation: 'accountTokens.roll' },
    { name: 'tokens verify', operation: 'tokens.verify', accountOperation: 'accountTokens.verify' },
    {
      name: 'tokens permissions',
      operation: 'tokens.listPermissionGroups',
      accountOperation: 'accountTokens.listPermissionGroups',
      columns: ['id', 'name', 'scopes'],
    },
  ],
};

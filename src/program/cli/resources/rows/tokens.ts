import { family } from '../resource-row.ts';

export const tokenFamily = family(
  'tokens',
  'Tokens of the API: your own, or with --account those of the account.',
  {
    list: { operation: 'tokens.list', columns: 'id name status issued_on expires_on last_used_on' },
    get: 'tokens.get',
    create: 'tokens.create',
    update: { operation: 'tokens.update', current: { operation: 'tokens.get' } },
    delete: 'tokens.delete',
    roll: 'tokens.roll',
    verify: 'tokens.verify',
    permissions: { operation: 'tokens.listPermissionGroups', columns: 'id name scopes' },
  },
  { account: 'accountTokens' },
);

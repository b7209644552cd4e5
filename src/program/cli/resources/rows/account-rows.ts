import type { ResourceFamily } from '../resource-row.ts';

export const listFamily: ResourceFamily = {
  summary: 'Lists of addresses, host names, networks or redirects.',
  rows: [
    {
      name: 'lists list',
      operation: 'lists.list',
      columns: ['id', 'name', 'kind', 'num_items', 'num_referencing_filters', 'description'],
    },
    { name: 'lists get', operation: 'lists.get' },
    { name: 'lists create', operation: 'lists.create' },
    { name: 'lists update', operation: 'lists.update' },
    { name: 'lists delete', operation: 'lists.delete' },
    {
      name: 'lists items',
      operation: 'lists.listItems',
      columns: ['id', 'ip', 'hostname.url_hostname', 'asn', 'redirect.source_url', 'comment'],
    },
    {
      name: 'lists add-items',
      operation: 'lists.appendItems',
      aliases: { hostname: 'hostname.url_hostname' },
    },
    {
      name: 'lists replace-items',
      operation: 'lists.replaceItems',
      danger: 'items that are not sent are removed from the list',
    },
    { name: 'lists remove-items', operation: 'lists.removeItems' },
    { name: 'lists operation', operation: 'lists.getBulkOperation' },
    { name: 'lists source', operation: 'listSources.get' },
    { name: 'lists set-source', operation: 'listSources.set' },
    { name: 'lists remove-source', operation: 'listSources.delete' },
  ],
};

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

export const auditFamily: ResourceFamily = {
  summary: 'Who changed what, and a check that the record is intact.',
  rows: [
    {
      name: 'audit list',
      operation: 'audit.list',
      columns: ['when', 'actor.email', 'action.type', 'resource.type', 'resource.id'],
      limit: 100,
    },
    {
      name: 'audit verify',
      operation: 'audit.verify',
      columns: ['kind', 'id', 'is_intact', 'entries', 'broken_sequence', 'missing', 'differs_from_anchor'],
    },
  ],
};

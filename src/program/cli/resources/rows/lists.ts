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

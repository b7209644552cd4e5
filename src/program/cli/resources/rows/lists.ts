import { family } from '../resource-row.ts';

export const listFamily = family('lists', 'Lists of addresses, host names, networks or redirects.', {
  list: { operation: 'lists.list', columns: 'id name kind num_items num_referencing_filters description' },
  get: 'lists.get',
  create: 'lists.create',
  update: 'lists.update',
  delete: 'lists.delete',
  items: {
    operation: 'lists.listItems',
    columns: 'id ip hostname.url_hostname asn redirect.source_url comment',
  },
  'add-items': { operation: 'lists.appendItems', aliases: { hostname: 'hostname.url_hostname' } },
  'replace-items': {
    operation: 'lists.replaceItems',
    danger: 'items that are not sent are removed from the list',
  },
  'remove-items': 'lists.removeItems',
  operation: 'lists.getBulkOperation',
  source: 'listSources.get',
  'set-source': 'listSources.set',
  'remove-source': 'listSources.delete',
});

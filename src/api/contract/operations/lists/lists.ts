/** Lists of addresses, host names, networks or redirects that expressions name with `$`. */
import { listCodes as codes } from '../../codes/lists.ts';
import { listKinds } from '#rulesets';
import { operationsOf } from '../../operation.ts';
import type { Permission } from '../../permissions.ts';
import {
  named,
  countParameter,
  textParameter,
  choice,
  flag,
  integer,
  text,
  deleted,
  listOf,
  array,
  object,
  optional,
  record,
  string,
  whole,
  annotate,
  timestamp,
} from '#shapes';

const write: readonly Permission[] = ['ruleListsWrite'];

const operation = operationsOf({ api: 'filters', read: ['ruleListsRead', 'ruleListsWrite'], write });

/** As many as an account may have. */
const batchMax = 10_000;

const description = text({ max: 500 });
const kind = named('ListKind', choice(listKinds));
const listToCreate = object({
  name: text({
    min: 1,
    max: 50,
    pattern: /^[a-z0-9_]+$/,
    what: 'lower-case letters, digits and _, as expressions write it',
  }),
  kind,
  description: optional(description),
});
/** Clients send back the name and kind that they read: only different values are refused. */
const listToUpdate = object({
  description: optional(description),
  name: optional(text({ max: 50 })),
  kind: optional(kind),
});

const redirectItem = object({
  source_url: text({ min: 1, max: 4096 }),
  target_url: text({ min: 1, max: 4096 }),
  status_code: optional(choice([301, 302, 307, 308])),
  include_subdomains: optional(flag()),
  subpath_matching: optional(flag()),
  preserve_query_string: optional(flag()),
  preserve_path_suffix: optional(flag()),
});
const redirect = named('Redirect', redirectItem);
const hostname = named(
  'ListHostname',
  object({ url_hostname: text({ min: 1, max: 255 }), exclude_exact_hostname: optional(flag()) }),
);

const itemToAdd = object(
  {
    // Terraform's provider 3 sends an empty string with a redirect.
    ip: optional(text({ max: 50 })),
    hostname: optional(hostname),
    asn: optional(integer({ min: 0, max: 2 ** 32 - 1 })),
    redirect: optional(redirect),
    comment: optional(text({ max: 500 })),
  },
  'One of `ip`, `hostname`, `asn` and `redirect`: the kind of items.',
);
const itemsToAdd = array(named('NewListItem', itemToAdd), { max: batchMax });
const itemsToRemove = object({
  items: array(named('ListItemReference', object({ id: text({ min: 1, max: 32 }) })), {
    min: 1,
    max: batchMax,
  }),
});

const listSchema = named(
  'List',
  record({
    id: string,
    name: string,
    description: optional(string),
    kind,
    num_items: whole,
    num_referencing_filters: annotate(whole, {
      description: 'How many expressions of filters and rules name the list.',
    }),
    created_on: timestamp,
    modified_on: timestamp,
  }),
);
const itemSchema = named(
  'ListItem',
  record({
    id: string,
    ip: optional(string),
    hostname: optional(hostname),
    asn: optional(whole),
    redirect: optional(redirect),
    comment: optional(string),
    created_on: timestamp,
    modified_on: timestamp,
  }),
);
const acceptedSchema = named('AcceptedBulkOperation', record({ operation_id: string }));
const bulkOperationSchema = named(
  'BulkOperation',
  record({
    id: string,
    status: choice(['pending', 'running', 'completed', 'failed']),
    completed: optional(timestamp),
    error: optional(annotate(string, { description: 'Why it failed; in that case nothing was changed.' })),
  }),
);

const useSchema = named(
  'ListUse',
  record({
    zone_id: string,
    zone_name: string,
    count: annotate(whole, { description: 'How many filters and rules of the zone name the list.' }),
  }),
);

const lists = '/accounts/{account_id}/rules/lists';

export const listOperations = {
  'lists.create': operation(`POST ${lists}`, {
    summary: 'Create a list',
    body: named('NewList', listToCreate),
    result: listSchema,
    codes: [codes.listNameTaken, codes.listNotEntitled, codes.listQuotaExceeded],
  }),
  'lists.list': operation(`GET ${lists}`, {
    answeredBy: 'several objects',
    versionOf: 'account',
    summary: 'List all lists, without their items',
    result: listOf(listSchema),
  }),
  'lists.get': operation(`GET ${lists}/{list_id}`, {
    answeredBy: 'several objects',
    versionOf: 'account',
    summary: 'Get a list, without its items',
    result: listSchema,
    codes: [codes.listNotFound],
  }),
  'lists.listUses': operation(`GET ${lists}/{list_id}/uses`, {
    answeredBy: 'several objects',
    summary: 'List the zones that name a list, of those you can see',
    result: listOf(useSchema),
    isOurs: true,
    codes: [codes.listNotFound],
  }),
  'lists.update': operation(`PUT ${lists}/{list_id}`, {
    answeredBy: 'several objects',
    versionOf: 'account',
    summary: 'Change the description of a list',
    body: named('ListUpdate', listToUpdate),
    result: listSchema,
    codes: [codes.listNotFound],
  }),
  'lists.delete': operation(`DELETE ${lists}/{list_id}`, {
    answeredBy: 'several objects',
    versionOf: 'account',
    summary: 'Delete a list that no expression names',
    result: deleted,
    codes: [codes.listNotFound, codes.listInUse],
  }),
  'lists.listItems': operation(`GET ${lists}/{list_id}/items`, {
    summary: 'List the items of a list in ascending order',
    query: {
      cursor: textParameter('One of `result_info.cursors`.'),
      per_page: countParameter({ fallback: 500, min: 1, max: 500 }),
      search: textParameter(
        'Addresses that start with it, host names and redirects that contain it, or an AS number.',
      ),
    },
    result: listOf(itemSchema),
    codes: [codes.listNotFound],
  }),
  'lists.getItem': operation(`GET ${lists}/{list_id}/items/{item_id}`, {
    summary: 'Get an item',
    result: itemSchema,
    codes: [codes.listNotFound, codes.listItemNotFound],
  }),
  'lists.appendItems': operation(`POST ${lists}/{list_id}/items`, {
    summary: 'Add items; existing items get the new comment',
    body: itemsToAdd,
    result: acceptedSchema,
    status: 201,
    codes: [codes.listNotFound, codes.listItemInvalid, codes.listOperationsPending],
  }),
  'lists.replaceItems': operation(`PUT ${lists}/{list_id}/items`, {
    summary: 'Replace all items',
    body: itemsToAdd,
    result: acceptedSchema,
    status: 201,
    codes: [codes.listNotFound, codes.listItemInvalid, codes.listOperationsPending],
  }),
  'lists.removeItems': operation(`DELETE ${lists}/{list_id}/items`, {
    summary: 'Remove items by their ids',
    body: named('ListItemRemoval', itemsToRemove),
    result: acceptedSchema,
    status: 201,
    codes: [codes.listNotFound, codes.listOperationsPending],
  }),
  'lists.getBulkOperation': operation(`GET ${lists}/bulk_operations/{operation_id}`, {
    summary: 'Get the status of a bulk operation',
    result: bulkOperationSchema,
    codes: [codes.listOperationNotFound],
  }),
};

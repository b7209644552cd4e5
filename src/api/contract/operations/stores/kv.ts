/** KV namespaces of the account, which outlive the Workers that are bound to them. */
import { genericCodes } from '../../codes/generic.ts';
import { storeCodes as codes } from '../../codes/stores.ts';
import { operationsOf } from '../../operation.ts';
import { account, created, encodedSegment, raw, served, several, valueBytesMax } from './store-rows.ts';
import {
  array,
  choice,
  choiceParameter,
  countParameter,
  flag,
  integer,
  json,
  listOf,
  mapOf,
  named,
  nothing,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  textParameter,
  unread,
  whole,
} from '#shapes';

const read = ['kvRead', 'kvWrite'] as const;
const operation = operationsOf({
  ...several,
  api: 'kv',
  segments: { key_name: encodedSegment },
  read,
  write: ['kvWrite'],
});
const namespaces = `${account}/storage/kv/namespaces` as const;
const one = `${namespaces}/{namespace_id}` as const;

const namespace = named('KvNamespace', record({ id: string, title: string, supports_url_encoding: flag() }));
const content = named('KvNamespaceContent', object({ title: text({ min: 1, max: 512 }) }));
const expiry = {
  expiration: textParameter('When the value expires, in seconds since 1970.'),
  expiration_ttl: textParameter('How many seconds the value lives, at least 60.'),
};
const entry = named(
  'KvBulkEntry',
  object({
    key: text({ min: 1, max: 512 }),
    value: text({ max: valueBytesMax }),
    base64: optional(flag()),
    metadata: optional(unread({})),
    expiration: optional(integer({ min: 0, max: 2 ** 53 })),
    expiration_ttl: optional(integer({ min: 0, max: 2 ** 53 })),
  }),
);
const keys = named('KvBulkKeys', array(text({ min: 1, max: 512 }), { max: 10_000 }));
const bulkResult = named(
  'KvBulkResult',
  record({ successful_key_count: whole, unsuccessful_keys: listOf(string) }),
);

export const kvOperations = {
  'kv.list': operation(`GET ${namespaces}`, {
    summary: 'List the KV namespaces of the account',
    query: {
      order: choiceParameter(['id', 'title'], 'What to sort by.'),
      direction: choiceParameter(['asc', 'desc'], 'The sort direction.'),
      ...pageParameters({ fallback: 20, max: 1_000 }),
    },
    result: listOf(namespace),
  }),
  'kv.create': operation(`POST ${namespaces}`, {
    summary: 'Create a KV namespace',
    body: content,
    result: namespace,
    codes: [...created, codes.kvTitleTaken],
  }),
  'kv.get': operation(`GET ${one}`, {
    summary: 'Get a KV namespace',
    result: namespace,
    codes: [codes.kvNamespaceNotFound],
  }),
  'kv.rename': operation(`PUT ${one}`, {
    summary: 'Rename a KV namespace',
    body: content,
    result: namespace,
    codes: [codes.kvNamespaceNotFound, codes.kvTitleTaken],
  }),
  'kv.delete': operation(`DELETE ${one}`, {
    summary: 'Delete a KV namespace with everything in it',
    result: nothing,
    codes: [...served, codes.kvNamespaceNotFound, codes.storeInUse],
  }),
  'kv.listKeys': operation(`GET ${one}/keys`, {
    summary: 'List keys, in the order of their bytes',
    query: {
      prefix: textParameter('The prefix of the keys.'),
      limit: countParameter({ fallback: 1_000, min: 10, max: 1_000 }),
      cursor: textParameter('The cursor from the previous page.'),
    },
    result: listOf(
      named('KvKey', record({ name: string, expiration: optional(whole), metadata: optional(json) })),
    ),
    codes: [...served, codes.kvNamespaceNotFound, codes.kvRefused],
  }),
  'kv.readValue': operation(`GET ${one}/values/{key_name}`, {
    summary: 'Read a value, as it was written',
    result: string,
    media: ['application/octet-stream'],
    codes: [...served, codes.kvNamespaceNotFound, codes.kvKeyNotFound, codes.kvRefused],
  }),
  'kv.writeValue': operation(`PUT ${one}/values/{key_name}`, {
    summary: 'Write a value: the body, or the part `value` of a form, with the part `metadata`',
    query: expiry,
    rawBytesMax: valueBytesMax,
    upload: ['application/octet-stream'],
    result: nothing,
    codes: [...raw, codes.kvNamespaceNotFound, codes.kvRefused],
  }),
  'kv.deleteValue': operation(`DELETE ${one}/values/{key_name}`, {
    summary: 'Delete a value; one that does not exist counts as deleted',
    result: nothing,
    codes: [...served, codes.kvNamespaceNotFound, codes.kvRefused],
  }),
  'kv.readMetadata': operation(`GET ${one}/metadata/{key_name}`, {
    summary: 'Read the metadata of a value',
    result: named('KvMetadata', json),
    codes: [...served, codes.kvNamespaceNotFound, codes.kvKeyNotFound, codes.kvRefused],
  }),
  'kv.writeBulk': operation(`PUT ${one}/bulk`, {
    summary: 'Write many values',
    body: named('KvBulk', array(entry, { max: 10_000 })),
    bodyBytesMax: 100 * 1024 * 1024,
    result: bulkResult,
    codes: [...served, codes.kvNamespaceNotFound, codes.kvRefused, genericCodes.bodyTooLarge],
  }),
  'kv.deleteBulk': operation(`DELETE ${one}/bulk`, {
    summary: 'Delete many values',
    body: keys,
    result: bulkResult,
    codes: [...served, codes.kvNamespaceNotFound, codes.kvRefused],
  }),
  'kv.deleteMany': operation(`POST ${one}/bulk/delete`, {
    summary: 'Delete many values, for clients that send no body with DELETE',
    body: keys,
    result: bulkResult,
    codes: [...served, codes.kvNamespaceNotFound, codes.kvRefused],
  }),
  'kv.readBulk': operation(`POST ${one}/bulk/get`, {
    summary: 'Read up to 100 values',
    permissions: read,
    isWrite: false,
    body: named(
      'KvBulkRead',
      object({
        keys: array(text({ min: 1, max: 512 }), { min: 1, max: 100 }),
        type: optional(choice(['text', 'json'])),
        withMetadata: optional(flag()),
      }),
    ),
    result: named('KvBulkValues', record({ values: mapOf(json) })),
    codes: [...served, codes.kvNamespaceNotFound, codes.kvRefused],
  }),
};

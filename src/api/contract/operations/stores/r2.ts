/** R2 buckets of the account, and the objects in them. */
import { storeCodes as codes } from '../../codes/stores.ts';
import { operationsOf } from '../../operation.ts';
import {
  account,
  bucketName,
  created,
  encodedSegment,
  objectBytesMax,
  raw,
  served,
  several,
} from './store-rows.ts';
import {
  array,
  choice,
  json,
  listOf,
  named,
  object,
  optional,
  record,
  string,
  text,
  textParameter,
  timestamp,
  unread,
  whole,
} from '#shapes';

/** Wrangler sends JSON as text. */
const read = ['r2Read', 'r2Write'] as const;
const operation = operationsOf({
  ...several,
  api: 'r2',
  takesText: true,
  segments: { bucket_name: bucketName, object_key: encodedSegment },
  rest: 'object_key',
  read,
  write: ['r2Write'],
});
const buckets = `${account}/r2/buckets` as const;
const one = `${buckets}/{bucket_name}` as const;
const reaching = [...served, codes.bucketNotFound] as const;

const bucket = named(
  'R2Bucket',
  record({
    name: string,
    creation_date: timestamp,
    location: string,
    storage_class: string,
    jurisdiction: string,
  }),
);
const empty = named('R2Done', record({}));
const keptRules = array(unread({ type: 'object' }), { max: 1_000 });
const rules = named('R2BucketRules', record({ rules: listOf(json) }));
const rulesContent = named('R2BucketRulesContent', object({ rules: optional(keptRules) }));

export const r2Operations = {
  'r2.list': operation(`GET ${buckets}`, {
    summary: 'List the R2 buckets of the account',
    query: { name_contains: textParameter('A substring of the name.') },
    result: named('R2Buckets', record({ buckets: listOf(bucket) })),
  }),
  'r2.create': operation(`POST ${buckets}`, {
    summary: 'Create an R2 bucket',
    body: named(
      'R2BucketContent',
      object({
        name: text({ min: 3, max: 63, pattern: bucketName }),
        locationHint: optional(unread({ type: 'string' })),
        storageClass: optional(choice(['Standard', 'InfrequentAccess'])),
      }),
    ),
    result: bucket,
    codes: [...created, codes.bucketTaken],
  }),
  'r2.get': operation(`GET ${one}`, {
    summary: 'Get an R2 bucket',
    result: bucket,
    codes: reaching,
  }),
  'r2.edit': operation(`PATCH ${one}`, {
    summary: 'Set the storage class of a bucket by the header `cf-r2-storage-class`; all are the same here',
    rawBytesMax: 1_024,
    result: bucket,
    codes: [...raw, codes.bucketNotFound],
  }),
  'r2.delete': operation(`DELETE ${one}`, {
    summary: 'Delete an R2 bucket that is empty',
    result: empty,
    codes: [...reaching, codes.bucketNotEmpty, codes.storeInUse],
  }),
  'r2.getCors': operation(`GET ${one}/cors`, {
    summary: 'Get the CORS rules that were sent for a bucket',
    result: rules,
    codes: reaching,
  }),
  'r2.setCors': operation(`PUT ${one}/cors`, {
    summary: 'Store CORS rules: they have no effect, because only Workers and this API read a bucket',
    body: rulesContent,
    result: empty,
    codes: reaching,
  }),
  'r2.deleteCors': operation(`DELETE ${one}/cors`, {
    summary: 'Delete the CORS rules',
    result: empty,
    codes: reaching,
  }),
  'r2.getLifecycle': operation(`GET ${one}/lifecycle`, {
    summary: 'Get the lifecycle rules that were sent for a bucket',
    result: rules,
    codes: reaching,
  }),
  'r2.setLifecycle': operation(`PUT ${one}/lifecycle`, {
    summary: 'Store lifecycle rules: they have no effect, no object is deleted or moved by them',
    body: rulesContent,
    result: empty,
    codes: reaching,
  }),
  'r2.listObjects': operation(`GET ${one}/objects`, {
    summary: 'List the objects of a bucket',
    query: {
      prefix: textParameter('The prefix of the keys.'),
      cursor: textParameter('The cursor from the previous page.'),
    },
    result: listOf(
      named(
        'R2ObjectFacts',
        record({ key: string, size: whole, etag: string, last_modified: timestamp, http_metadata: json }),
      ),
    ),
    codes: reaching,
  }),
  'r2.readObject': operation(`GET ${one}/objects/{object_key}`, {
    summary: 'Read an object',
    result: string,
    media: ['application/octet-stream'],
    codes: [...reaching, codes.r2ObjectNotFound, codes.r2Refused],
  }),
  'r2.writeObject': operation(`PUT ${one}/objects/{object_key}`, {
    summary: 'Write an object: the body, with its content type and the other fields that describe it',
    rawBytesMax: objectBytesMax,
    upload: ['application/octet-stream'],
    result: named('R2Written', record({ key: string, etag: string, size: string, version: string })),
    codes: [...raw, codes.bucketNotFound, codes.r2Refused],
  }),
  'r2.deleteObject': operation(`DELETE ${one}/objects/{object_key}`, {
    summary: 'Delete an object; one that does not exist counts as deleted',
    result: empty,
    codes: [...reaching, codes.r2Refused],
  }),
};

/**
 * Calls of a bucket binding from a program elsewhere: everything that a Worker can ask of a bucket, which Cloudflare's
 * paths for objects cannot express.
 *
 * Contents in a request or an answer follow one line of JSON that describes them.
 */
import { storeCodes as codes } from '../../codes/stores.ts';
import { operation } from '../../operation.ts';
import { account, bucketName, objectBytesMax, raw, served, several } from './store-rows.ts';
import {
  array,
  choice,
  flag,
  integer,
  json,
  listOf,
  map,
  mapOf,
  named,
  nothing,
  nullable,
  object,
  optional,
  record,
  string,
  text,
  whole,
} from '#shapes';

/** The line before contents: a key, and metadata of both kinds. */
export const r2CallHeadBytesMax = 64 * 1024;

const common = {
  ...several,
  api: 'r2',
  isOurs: true,
  segments: { bucket_name: bucketName },
} as const;
const reading = { ...common, permissions: ['r2Read', 'r2Write'], isWrite: false } as const;
const writing = { ...common, permissions: ['r2Write'] } as const;
const calls = `${account}/r2/buckets/{bucket_name}/calls` as const;
const refusing = [...served, codes.bucketNotFound, codes.r2Refused] as const;
const contents = {
  upload: ['application/octet-stream'],
  rawBytesMax: objectBytesMax + r2CallHeadBytesMax,
  codes: [...raw, codes.bucketNotFound, codes.r2Refused],
} as const;

/** Longer than any that a bucket accepts, so that the bucket refuses it. */
const key = text({ max: 4_096 });
const word = text({ max: 8_192 });
const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const milliseconds = integer({ min: -8.64e15, max: 8.64e15 });

const etag = named('R2Etag', object({ type: choice(['strong', 'weak', 'wildcard']), value: optional(word) }));
const etags = optional(array(etag, { max: 1_000 }));
const condition = optional(
  named(
    'R2Condition',
    object({
      etagMatches: etags,
      etagDoesNotMatch: etags,
      uploadedBefore: optional(milliseconds),
      uploadedAfter: optional(milliseconds),
      bySeconds: flag(),
    }),
  ),
);
const range = optional(
  named(
    'R2Range',
    object({
      offset: optional(count),
      length: optional(count),
      suffix: optional(count),
      header: optional(word),
    }),
  ),
);
const settings = {
  http: named(
    'R2HttpMetadata',
    object({
      contentType: optional(word),
      contentLanguage: optional(word),
      contentDisposition: optional(word),
      contentEncoding: optional(word),
      cacheControl: optional(word),
      cacheExpiry: optional(milliseconds),
    }),
  ),
  custom: map(word, { max: 8_192 }),
  storageClass: text({ max: 64 }),
};
const part = { partNumber: integer({ min: 1, max: 10_000 }), etag: text({ max: 64 }) };

/** The line before the contents of `put` and `uploadPart`. */
export const r2PutHead = object({
  key,
  condition,
  checksum: optional(
    object({ name: choice(['md5', 'sha1', 'sha256', 'sha384', 'sha512']), hex: text({ max: 128 }) }),
  ),
  ...settings,
});
export const r2PartHead = object({ key, upload: text({ max: 256 }), number: part.partNumber });

const stored = named(
  'R2StoredObject',
  record({
    key: string,
    version: string,
    size: whole,
    etag: string,
    uploaded: whole,
    checksums: mapOf(string),
    http: json,
    custom: mapOf(string),
    storageClass: string,
  }),
);
const found = named('R2FoundObject', record({ object: nullable(stored) }));
const ofUpload = { key, upload: text({ max: 256 }) };

export const r2CallOperations = {
  'r2Calls.head': operation(`POST ${calls}/head`, {
    ...reading,
    summary: 'Describe an object as a binding sees it',
    body: named('R2Head', object({ key })),
    result: found,
    codes: refusing,
  }),
  'r2Calls.get': operation(`POST ${calls}/get`, {
    ...reading,
    summary:
      'Read an object, or a range of it, if a condition holds: a line of JSON, `null` if there is none, and the contents',
    body: named('R2Get', object({ key, condition, range })),
    result: string,
    media: ['application/octet-stream'],
    codes: refusing,
  }),
  'r2Calls.list': operation(`POST ${calls}/list`, {
    ...reading,
    summary: 'List objects, grouped by prefix up to a delimiter',
    body: named(
      'R2List',
      object({
        prefix: key,
        delimiter: key,
        limit: count,
        cursor: optional(word),
        startAfter: optional(key),
      }),
    ),
    result: named(
      'R2Listing',
      record({ objects: listOf(stored), prefixes: listOf(string), cursor: optional(string) }),
    ),
    codes: refusing,
  }),
  'r2Calls.put': operation(`POST ${calls}/put`, {
    ...writing,
    ...contents,
    summary: 'Write an object, if a condition holds: a line of JSON with its metadata, and the contents',
    result: found,
  }),
  'r2Calls.delete': operation(`POST ${calls}/delete`, {
    ...writing,
    summary: 'Delete up to 1,000 objects',
    body: named('R2Delete', object({ keys: array(key, { max: 1_000 }) })),
    result: nothing,
    codes: refusing,
  }),
  'r2Calls.beginUpload': operation(`POST ${calls}/begin_upload`, {
    ...writing,
    summary: 'Start a multipart upload of an object',
    body: named('R2NewUpload', object({ key, ...settings })),
    result: named('R2Upload', record({ upload: string })),
    codes: refusing,
  }),
  'r2Calls.uploadPart': operation(`POST ${calls}/upload_part`, {
    ...writing,
    ...contents,
    summary: 'Upload a part: a line of JSON that names it, and its contents',
    result: named('R2Part', record({ partNumber: whole, etag: string })),
  }),
  'r2Calls.completeUpload': operation(`POST ${calls}/complete_upload`, {
    ...writing,
    summary: 'Complete a multipart upload',
    body: named(
      'R2UploadEnd',
      object({ ...ofUpload, parts: array(named('R2ChosenPart', object(part)), { max: 10_000 }) }),
    ),
    result: found,
    codes: refusing,
  }),
  'r2Calls.abortUpload': operation(`POST ${calls}/abort_upload`, {
    ...writing,
    summary: 'Abort a multipart upload',
    body: named('R2UploadAbort', object(ofUpload)),
    result: nothing,
    codes: refusing,
  }),
};

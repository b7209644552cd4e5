/** Calls of R2 bindings in programs elsewhere. The bucket validates the arguments as it does for local bindings. */
import { releaseAfter } from '#work';
import {
  type AskedRange,
  type ObjectCondition,
  type Etag,
  fromSent,
  type ObjectRecord,
  type ObjectSettings,
  type BucketReply,
  type R2BucketObject,
  splitHead,
  toSent,
  writeHead,
} from '#bindings';
import {
  fault,
  malformed,
  ok,
  type PlainReply,
  r2CallHeadBytesMax,
  r2PartHead,
  r2PutHead,
  type Result,
  storeCodes,
} from '#contract';
import type { DurableObjectStub } from '#objects';
import { type Problem, readJson, type Shape } from '#shapes';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { openStore } from './find-store.ts';
import { findBucket } from './r2-handlers.ts';

type Path = Readonly<Record<string, string>>;

export const r2CallHandlers: ObjectsHandlers<'r2Calls'> = {
  async 'r2Calls.head'(context, { path, body: { key } }) {
    return ok({ object: toJson(take(await (await open(context, path)).head(key))) });
  },

  async 'r2Calls.get'(context, { path, body: { key, condition, range } }): Promise<PlainReply> {
    const bucket = await open(context, path);
    const request = { key, condition: readCondition(condition), range: readRange(range) };
    const found = take(await bucket.get(request));
    const head =
      found === undefined
        ? null
        : { object: toSent(found.object), range: found.range, hasBody: found.body !== undefined };
    return {
      kind: 'plain',
      status: 200,
      contentType: 'application/octet-stream',
      headers: {},
      body: releaseAfter(writeFound(head, found?.body), () => giveUp(found?.body)),
    };
  },

  async 'r2Calls.list'(context, { path, body }) {
    const { cursor, startAfter, ...asked } = body;
    const listed = take(await (await open(context, path)).list({ ...asked, cursor, startAfter }));
    return ok({
      objects: listed.objects.map(toSent),
      prefixes: listed.prefixes,
      ...(listed.cursor === undefined ? {} : { cursor: listed.cursor }),
    });
  },

  async 'r2Calls.put'(context, { path, raw }) {
    const bucket = await open(context, path);
    const { head, contents } = readHeaded(r2PutHead, raw!.bytes);
    const { key, condition, checksum, http, custom, storageClass } = head;
    const settings = fromSent<ObjectSettings>({ http, custom, storageClass });
    const request = { key, condition: readCondition(condition), checksum, ...settings };
    return ok({ object: toJson(take(await bucket.put(request, contents))) });
  },

  async 'r2Calls.delete'(context, { path, body: { keys } }) {
    take(await (await open(context, path)).delete(keys));
    return ok(null);
  },

  async 'r2Calls.beginUpload'(context, { path, body: { key, ...settings } }) {
    const bucket = await open(context, path);
    return ok({ upload: take(await bucket.beginUpload(key, fromSent<ObjectSettings>(settings))) });
  },

  async 'r2Calls.uploadPart'(context, { path, raw }) {
    const bucket = await open(context, path);
    const { head, contents } = readHeaded(r2PartHead, raw!.bytes);
    return ok(take(await bucket.uploadPart(head.key, head.upload, head.number, contents)));
  },

  async 'r2Calls.completeUpload'(context, { path, body: { key, upload, parts } }) {
    return ok({ object: toJson(take(await (await open(context, path)).completeUpload(key, upload, parts))) });
  },

  async 'r2Calls.abortUpload'(context, { path, body: { key, upload } }) {
    take(await (await open(context, path)).abortUpload(key, upload));
    return ok(null);
  },
};

async function open(context: ObjectsContext, path: Path): Promise<DurableObjectStub<R2BucketObject>> {
  return await openStore<R2BucketObject>(context, await findBucket(context, path));
}

/** Maps a bucket's refusal to the code that clients of R2 expect. */
function take<T>(outcome: BucketReply<T>): T {
  if ('result' in outcome) return outcome.result;
  const { text, code } = outcome.failure;
  throw fault(storeCodes.r2Refused, { fill: { reason: `${text} (${code})` } });
}

function toJson(record: ObjectRecord | undefined): Result<'r2Calls.head'>['object'] {
  return record === undefined ? null : toSent(record);
}

async function* writeFound(
  head: object | null,
  body: Uint8Array | ReadableStream<unknown> | undefined,
): AsyncGenerator<Uint8Array> {
  yield writeHead(head);
  if (body instanceof Uint8Array) yield body;
  else if (body !== undefined) yield* body as ReadableStream<Uint8Array>;
}

/** Contents that a client abandoned before the first byte are never read. */
async function giveUp(body: Uint8Array | ReadableStream<unknown> | undefined): Promise<void> {
  if (body instanceof ReadableStream) await body.cancel();
}

function readHeaded<T>(
  shape: Shape<T>,
  bytes: Uint8Array,
): { readonly head: T; readonly contents: Uint8Array } {
  const split = splitHead(bytes, r2CallHeadBytesMax);
  const reject = (reason: string): ReturnType<typeof fault> =>
    fault(storeCodes.r2Refused, { fill: { reason } });
  if (split === undefined)
    throw reject(`the contents must follow a line of JSON of at most ${r2CallHeadBytesMax} bytes`);
  const parsed = readJson(split.head);
  if (!parsed.ok) throw reject(`the line before the contents is not JSON: ${parsed.reason}`);
  const problems: Problem[] = [];
  const head = shape.read(parsed.value, '', problems);
  if (problems.length > 0) throw malformed('r2', problems);
  return { head, contents: split.rest };
}

interface SentCondition extends Omit<ObjectCondition, 'etagMatches' | 'etagDoesNotMatch'> {
  readonly etagMatches?: readonly SentEtag[];
  readonly etagDoesNotMatch?: readonly SentEtag[];
}

interface SentEtag {
  readonly type: Etag['type'];
  readonly value?: string;
}

function readCondition(sent: SentCondition | undefined): ObjectCondition | undefined {
  if (sent === undefined) return undefined;
  const { etagMatches, etagDoesNotMatch, ...rest } = sent;
  return {
    ...rest,
    ...(etagMatches === undefined ? {} : { etagMatches: etagMatches.map(readEtag) }),
    ...(etagDoesNotMatch === undefined ? {} : { etagDoesNotMatch: etagDoesNotMatch.map(readEtag) }),
  };
}

function readEtag({ type, value = '' }: SentEtag): Etag {
  return type === 'wildcard' ? { type } : { type, value };
}

function readRange(
  sent:
    | {
        readonly offset?: number;
        readonly length?: number;
        readonly suffix?: number;
        readonly header?: string;
      }
    | undefined,
): AskedRange | undefined {
  if (sent === undefined) return undefined;
  const { header, ...rest } = sent;
  return header === undefined ? rest : { header };
}

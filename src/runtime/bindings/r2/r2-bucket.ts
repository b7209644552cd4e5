/** `env.BUCKET`: a bucket of R2, as code of a Worker sees it. */
import { r2DeleteKeysMax, r2ListKeysMax } from '../limits.ts';
import type { OpenObject } from '../open-object.ts';
import { type ShowFields, showAllFields } from '../shown-fields.ts';
import { readCondition } from './conditions.ts';
import { fromBucketReply, R2Failure, toBucketReply } from './r2-failure.ts';
import { R2MultipartUpload } from './r2-multipart-upload.ts';
import type { R2BucketObject } from './r2-object.ts';
import { R2ObjectBody } from './r2-object-body.ts';
import {
  type ChecksumOptions,
  type ObjectOptions,
  readBody,
  readChecksum,
  readSettings,
  refuseEncryption,
} from './r2-options.ts';
import { R2Object } from './r2-stored-object.ts';
import { readRange } from './ranges.ts';

type OnlyIf = Parameters<typeof readCondition>[0];

interface R2GetOptions {
  readonly onlyIf?: OnlyIf;
  readonly range?: object;
  readonly ssecKey?: unknown;
}

type R2PutOptions = ObjectOptions & ChecksumOptions & { readonly onlyIf?: OnlyIf };

interface R2ListOptions {
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly startAfter?: string;
  readonly include?: readonly string[];
}

const metadataNames: ReadonlySet<string> = new Set(['httpMetadata', 'customMetadata']);

export class R2Bucket {
  readonly #open: OpenObject<R2BucketObject>;

  readonly #show: ShowFields;

  constructor(open: OpenObject<R2BucketObject>, show = showAllFields) {
    this.#open = open;
    this.#show = show;
  }

  async head(key: string): Promise<R2Object | null> {
    const record = fromBucketReply('head', await this.#open().head(String(key)));
    if (record === undefined) return null;
    return new R2Object(record, { range: { offset: 0, length: record.size }, show: this.#show });
  }

  /** Without contents if the condition does not hold. */
  async get(key: string, options?: R2GetOptions | null): Promise<R2ObjectBody | R2Object | null> {
    const { onlyIf, range, ssecKey } = options ?? {};
    refuseEncryption({ ssecKey });
    const request = { key: String(key), condition: readCondition(onlyIf), range: readRange(range) };
    const found = fromBucketReply('get', await this.#open().get(request));
    if (found === undefined) return null;
    const details = { range: found.range, show: this.#show };
    if (found.body === undefined) return new R2Object(found.object, details);
    return new R2ObjectBody(found.object, found.body, details);
  }

  /** Null if the condition does not hold. */
  async put(key: string, value: unknown, options?: R2PutOptions | null): Promise<R2Object | null> {
    const given = options ?? {};
    const request = {
      key: String(key),
      condition: readCondition(given.onlyIf),
      checksum: readChecksum(given),
      ...readSettings(given),
    };
    const record = fromBucketReply('put', await this.#open().put(request, readBody('put', value)));
    return record === undefined ? null : new R2Object(record, { show: this.#show });
  }

  async delete(keys: string | readonly string[]): Promise<void> {
    const list = Array.isArray(keys) ? keys.map(String) : [String(keys)];
    const outcome = await toBucketReply(() => {
      if (list.length > r2DeleteKeysMax) throw new R2Failure('tooManyKeys');
    });
    fromBucketReply('delete', outcome);
    fromBucketReply('delete', await this.#open().delete(list));
  }

  async list(options?: R2ListOptions | null): Promise<object> {
    const {
      prefix = '',
      delimiter = '',
      limit = r2ListKeysMax,
      cursor,
      startAfter,
      include = [],
    } = options ?? {};
    const unknown = include.find((name) => !metadataNames.has(name));
    if (unknown !== undefined) throw new RangeError(`Unsupported include value ${unknown}`);
    const listing = fromBucketReply(
      'list',
      await this.#open().list({
        prefix: String(prefix),
        delimiter: String(delimiter),
        // A value below zero means the default.
        limit: limit < 0 ? r2ListKeysMax : Number(limit),
        cursor: cursor === undefined ? undefined : String(cursor),
        startAfter: startAfter === undefined ? undefined : String(startAfter),
      }),
    );
    const show = this.#show;
    return show({
      objects: listing.objects.map((record) => new R2Object(record, { include, show })),
      truncated: listing.cursor !== undefined,
      cursor: listing.cursor,
      delimitedPrefixes: listing.prefixes,
    });
  }

  async createMultipartUpload(key: string, options?: ObjectOptions | null): Promise<R2MultipartUpload> {
    const name = String(key);
    const upload = fromBucketReply(
      'createMultipartUpload',
      await this.#open().beginUpload(name, readSettings(options ?? {})),
    );
    return new R2MultipartUpload({ open: this.#open, show: this.#show }, name, upload);
  }

  resumeMultipartUpload(key: string, uploadId: string): R2MultipartUpload {
    return new R2MultipartUpload({ open: this.#open, show: this.#show }, String(key), String(uploadId));
  }
}

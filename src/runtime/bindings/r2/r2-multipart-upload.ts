/** An upload of an object in parts, as code of a Worker sees it. */
import type { OpenObject } from '../open-object.ts';
import type { ShowFields } from '../shown-fields.ts';
import { fromBucketReply } from './r2-failure.ts';
import type { R2BucketObject } from './r2-object.ts';
import { checkPartNumber, readBody, refuseEncryption } from './r2-options.ts';
import type { UploadedPart } from './r2-records.ts';
import { R2Object } from './r2-stored-object.ts';

interface Bucket {
  readonly open: OpenObject<R2BucketObject>;
  readonly show: ShowFields;
}

export class R2MultipartUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly #open: OpenObject<R2BucketObject>;
  readonly #show: ShowFields;

  constructor(bucket: Bucket, key: string, uploadId: string) {
    this.#open = bucket.open;
    this.#show = bucket.show;
    this.key = key;
    this.uploadId = uploadId;
  }

  async uploadPart(
    partNumber: number,
    value: unknown,
    options?: { readonly ssecKey?: unknown } | null,
  ): Promise<UploadedPart> {
    checkPartNumber(partNumber);
    refuseEncryption(options ?? {});
    const body = readBody('uploadPart', value);
    return fromBucketReply(
      'uploadPart',
      await this.#open().uploadPart(this.key, this.uploadId, partNumber, body),
    );
  }

  async complete(parts: readonly UploadedPart[]): Promise<R2Object> {
    const chosen = parts.map(({ partNumber, etag }) => ({ partNumber, etag: String(etag) }));
    for (const { partNumber } of chosen) checkPartNumber(partNumber);
    const record = fromBucketReply(
      'completeMultipartUpload',
      await this.#open().completeUpload(this.key, this.uploadId, chosen),
    );
    return new R2Object(record, { show: this.#show });
  }

  async abort(): Promise<void> {
    fromBucketReply('abortMultipartUpload', await this.#open().abortUpload(this.key, this.uploadId));
  }
}

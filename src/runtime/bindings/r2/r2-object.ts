/**
 * A bucket of R2: an SQL object that records the stored objects, besides files with their contents, which are in a
 * directory or, in a cluster, in other objects.
 *
 * - Contents are on disk before they are recorded, and recorded before they are acknowledged: what was acknowledged
 *   survives the end of the process, and what was not leaves only a file, which is collected.
 * - A file is deleted only after the record that no longer refers to it is on disk.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DurableObject, type DurableObjectNamespace, type DurableObjectState } from '#objects';
import {
  r2KeyBytesMax,
  r2ListKeysMax,
  r2MetadataBytesMax,
  r2ObjectBytesMax,
  r2PartBytesMin,
  r2UploadMsMax,
} from '../limits.ts';
import { BodyFiles } from './bodies/body-files.ts';
import { BodyObjects } from './bodies/body-objects.ts';
import type { BodyStore, WrittenFile } from './bodies/body-store.ts';
import { isMet } from './conditions.ts';
import { listObjects } from './list-objects.ts';
import { ObjectTable, type UploadPart } from './object-table.ts';
import { type BucketReply, R2Failure, toBucketReply } from './r2-failure.ts';
import {
  checksumAlgorithms,
  type BodyContent,
  type ChecksumName,
  type FoundObject,
  type GetRequest,
  type Listing,
  type ListRequest,
  type ObjectRecord,
  type ObjectSettings,
  type PutRequest,
  type UploadedPart,
} from './r2-records.ts';
import { resolveRange } from './ranges.ts';

/** Where buckets store their contents: in folders of a directory, or in objects. */
export interface BodyPlace {
  readonly directory: string | undefined;
  readonly contents: () => DurableObjectNamespace;
  readonly onError: (error: unknown) => void;
}

export class R2BucketObject extends DurableObject {
  readonly #table: ObjectTable;
  readonly #files: BodyStore;

  constructor(ctx: DurableObjectState, env: unknown, place: BodyPlace) {
    super(ctx, env);
    this.#table = new ObjectTable(ctx.storage);
    this.#files = this.#openBodies(place);
  }

  head(key: string): Promise<BucketReply<ObjectRecord | undefined>> {
    return toBucketReply(() => {
      checkKey(key);
      return this.#table.get(key);
    });
  }

  get({ key, condition, range }: GetRequest): Promise<BucketReply<FoundObject | undefined>> {
    return toBucketReply(async () => {
      checkKey(key);
      const object = this.#table.get(key);
      if (object === undefined) return undefined;
      if (!isMet(condition, object))
        return { object, range: { offset: 0, length: object.size }, body: undefined };
      const resolved = resolveRange(range, object.size);
      const md5 = resolved.length === object.size ? object.checksums.md5 : undefined;
      const body = await this.#files.read(this.#table.filesOf(key), resolved, md5);
      return { object, range: resolved, body };
    });
  }

  /** Undefined if the condition does not hold. */
  put(request: PutRequest, body: BodyContent): Promise<BucketReply<ObjectRecord | undefined>> {
    return toBucketReply(async () => {
      const { key, condition, checksum, http, custom, storageClass } = request;
      checkKey(key);
      checkMetadata(custom);
      const names = new Set<ChecksumName>(checksum === undefined ? ['md5'] : ['md5', checksum.name]);
      const written = await this.#files.write(body, { names, bytesMax: r2ObjectBytesMax });
      const refuse = async (failure?: R2Failure): Promise<undefined> => {
        await this.#discard(written.file);
        if (failure !== undefined) throw failure;
      };
      const mismatch = checksum === undefined ? undefined : findMismatch(checksum, written);
      if (mismatch !== undefined) return await refuse(mismatch);
      if (!isMet(condition, this.#table.get(key))) return await refuse();
      const object: ObjectRecord = {
        key,
        version: randomBytes(16).toString('hex'),
        size: written.size,
        etag: written.digests.get('md5')!,
        uploaded: Date.now(),
        checksums: Object.fromEntries(written.digests),
        http,
        custom,
        storageClass,
      };
      await this.#change(() => this.#table.put(object, [written]));
      return object;
    });
  }

  delete(keys: readonly string[]): Promise<BucketReply<void>> {
    return toBucketReply(async () => {
      for (const key of keys) checkKey(key);
      await this.#change(() => keys.flatMap((key) => this.#table.delete(key)));
    });
  }

  list(request: ListRequest): Promise<BucketReply<Listing>> {
    return toBucketReply(() => {
      const { limit } = request;
      if (!Number.isInteger(limit) || limit < 1 || limit > r2ListKeysMax) throw new R2Failure('invalidLimit');
      return listObjects(this.#table, request);
    });
  }

  beginUpload(key: string, settings: ObjectSettings): Promise<BucketReply<string>> {
    return toBucketReply(async () => {
      checkKey(key);
      checkMetadata(settings.custom);
      const id = randomBytes(48).toString('base64url');
      this.#table.beginUpload(id, key, settings, Date.now());
      await this.#setAlarm();
      return id;
    });
  }

  uploadPart(
    key: string,
    upload: string,
    number: number,
    body: BodyContent,
  ): Promise<BucketReply<UploadedPart>> {
    return toBucketReply(async () => {
      this.#requireOpen(key, upload);
      const { file, size, digests } = await this.#files.write(body, {
        names: ['md5'],
        bytesMax: r2ObjectBytesMax,
      });
      const etag = digests.get('md5')!;
      try {
        // The upload may have been completed or aborted meanwhile.
        this.#requireOpen(key, upload);
      } catch (error) {
        await this.#discard(file);
        throw error;
      }
      await this.#change(() => this.#table.putPart(upload, { number, file, size, etag }));
      return { partNumber: number, etag };
    });
  }

  completeUpload(
    key: string,
    upload: string,
    chosen: readonly UploadedPart[],
  ): Promise<BucketReply<ObjectRecord>> {
    return toBucketReply(async () => {
      const settings = this.#table.upload(upload, key);
      if (settings === undefined) throw new R2Failure('internal');
      if (settings.isOver) throw new R2Failure('noSuchUpload');
      const parts = choosePartsInOrder(this.#table.partsOf(upload), chosen);
      const object: ObjectRecord = {
        key,
        version: randomBytes(16).toString('hex'),
        size: parts.reduce((sum, { size }) => sum + size, 0),
        etag: etagOfParts(parts),
        uploaded: Date.now(),
        checksums: {},
        http: settings.http,
        custom: settings.custom,
        storageClass: settings.storageClass,
      };
      await this.#change(() => [...this.#table.put(object, parts), ...this.#table.endUpload(upload)]);
      return object;
    });
  }

  abortUpload(key: string, upload: string): Promise<BucketReply<void>> {
    return toBucketReply(async () => {
      const settings = this.#table.upload(upload, key);
      if (settings === undefined) throw new R2Failure('internal');
      if (!settings.isOver) await this.#change(() => this.#table.endUpload(upload));
    });
  }

  /** Ends uploads that were never completed. */
  async alarm(): Promise<void> {
    await this.#change(() => this.#table.forgetUploads(Date.now() - r2UploadMsMax));
    await this.#setAlarm();
  }

  #openBodies({ directory, contents, onError }: BodyPlace): BodyStore {
    const bucket = this.ctx.id.toString();
    if (directory !== undefined) {
      const files = new BodyFiles(join(directory, bucket));
      files.collect((file) => this.#table.isRecorded(file));
      return files;
    }
    const objects = new BodyObjects({ bucket, contents, pending: this.#table.pending, onError });
    // Before this life writes anything.
    void this.ctx.blockConcurrencyWhile(() => objects.collect().catch(onError));
    return objects;
  }

  async #setAlarm(): Promise<void> {
    const oldest = this.#table.oldestUpload();
    if (oldest !== null) await this.ctx.storage.setAlarm(oldest + r2UploadMsMax);
  }

  /** Changes the records in one step, and then deletes the files that are no longer needed. */
  async #change(change: () => string[]): Promise<void> {
    const free = this.ctx.storage.transactionSync(change);
    if (free.length === 0) return;
    await this.ctx.storage.sync();
    await this.#files.remove(free);
  }

  /** Removes contents that were never recorded. */
  async #discard(file: string): Promise<void> {
    await this.#files.remove([file]);
    this.#table.settle(file);
  }

  #requireOpen(key: string, upload: string): void {
    if (this.#table.upload(upload, key)?.isOver !== false) throw new R2Failure('noSuchUpload');
  }
}

function checkKey(key: string): void {
  if (Buffer.byteLength(key) > r2KeyBytesMax) throw new R2Failure('invalidName');
}

function checkMetadata(custom: Readonly<Record<string, string>>): void {
  const bytes = Object.entries(custom).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
  if (bytes > r2MetadataBytesMax) throw new R2Failure('metadataTooLarge');
}

function findMismatch(
  { name, hex }: { readonly name: ChecksumName; readonly hex: string },
  { digests }: WrittenFile,
): R2Failure | undefined {
  const actual = digests.get(name)!;
  if (actual === hex) return undefined;
  const algorithm = checksumAlgorithms[name].shown;
  return new R2Failure(
    'badDigest',
    `The ${algorithm} checksum you specified did not match what we received.\nYou provided a ${algorithm} checksum with value: ${hex}\nActual ${algorithm} was: ${actual}`,
  );
}

/** The parts that make up an object: all of them present, and of equal size except the last. */
function choosePartsInOrder(uploaded: readonly UploadPart[], chosen: readonly UploadedPart[]): UploadPart[] {
  const byNumber = new Map(uploaded.map((part) => [part.number, part]));
  if (new Set(chosen.map(({ partNumber }) => partNumber)).size < chosen.length)
    throw new R2Failure('internal');
  const parts = chosen.map(({ partNumber, etag }) => {
    const part = byNumber.get(partNumber);
    if (part?.etag !== etag) throw new R2Failure('invalidPart');
    return part;
  });
  if (parts.slice(0, -1).some(({ size }) => size < r2PartBytesMin)) throw new R2Failure('partTooSmall');
  parts.sort((a, b) => a.number - b.number);
  const size = parts[0]?.size ?? 0;
  const isEven = parts.every((part, at) =>
    at === parts.length - 1 ? part.size <= size : part.size === size,
  );
  if (!isEven) throw new R2Failure('badUpload');
  return parts;
}

/** The digest of the parts' digests, and their number. */
function etagOfParts(parts: readonly UploadPart[]): string {
  const hash = createHash('md5');
  for (const { etag } of parts) hash.update(etag, 'hex');
  return `${hash.digest('hex')}-${parts.length}`;
}

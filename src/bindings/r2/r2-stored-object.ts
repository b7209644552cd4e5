/** An object of a bucket, as code of a Worker sees it: without its contents. */
import { type ChecksumName, httpFields, type HttpMetadata, type ObjectRecord } from './r2-records.ts';
import type { ByteRange } from './ranges.ts';

export interface R2ObjectDetails {
  readonly range?: ByteRange;
  /** Which metadata a list was asked for; both, unless it says otherwise. */
  readonly include?: readonly string[];
}

export class R2Object {
  readonly key: string;
  readonly version: string;
  readonly size: number;
  readonly etag: string;
  readonly httpEtag: string;
  readonly uploaded: Date;
  readonly checksums: R2Checksums;
  readonly httpMetadata: HttpMetadata | undefined;
  readonly customMetadata: Readonly<Record<string, string>> | undefined;
  readonly range: ByteRange | undefined;
  readonly storageClass: string;
  readonly ssecKeyMd5: string | undefined;

  constructor(record: ObjectRecord, { range, include }: R2ObjectDetails = {}) {
    this.key = record.key;
    this.version = record.version;
    this.size = record.size;
    this.etag = record.etag;
    this.httpEtag = `"${record.etag}"`;
    this.uploaded = new Date(record.uploaded);
    this.checksums = new R2Checksums(record.checksums);
    this.httpMetadata = include === undefined || include.includes('httpMetadata') ? record.http : undefined;
    this.customMetadata =
      include === undefined || include.includes('customMetadata') ? record.custom : undefined;
    this.range = range;
    this.storageClass = record.storageClass;
    this.ssecKeyMd5 = undefined;
  }

  writeHttpMetadata(headers: Headers): void {
    if (this.httpMetadata === undefined) {
      throw new TypeError(
        `HTTP metadata unknown for key \`${this.key}\`. Did you forget to add 'httpMetadata' to \`include\` when listing?`,
      );
    }
    for (const [field, header] of Object.entries(httpFields)) {
      const value = this.httpMetadata[field as keyof typeof httpFields];
      if (value !== undefined) headers.set(header, value);
    }
    const { cacheExpiry } = this.httpMetadata;
    if (cacheExpiry !== undefined) headers.set('expires', cacheExpiry.toUTCString());
  }
}

class R2Checksums {
  readonly #hex: ObjectRecord['checksums'];
  declare readonly md5?: ArrayBuffer;
  declare readonly sha1?: ArrayBuffer;
  declare readonly sha256?: ArrayBuffer;
  declare readonly sha384?: ArrayBuffer;
  declare readonly sha512?: ArrayBuffer;

  constructor(hex: ObjectRecord['checksums']) {
    this.#hex = hex;
    for (const [name, digits] of Object.entries(hex))
      Object.defineProperty(this, name, { value: Uint8Array.fromHex(digits).buffer, enumerable: true });
  }

  toJSON(): Partial<Record<ChecksumName, string>> {
    return { ...this.#hex };
  }
}

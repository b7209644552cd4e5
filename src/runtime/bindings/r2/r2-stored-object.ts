/** An object of a bucket, as code of a Worker sees it: without its contents. */
import { type ChecksumName, httpFields, type HttpMetadata, type ObjectRecord } from './r2-records.ts';
import { type ShowFields, showAllFields } from '../shown-fields.ts';
import type { ByteRange } from './ranges.ts';

export interface R2ObjectDetails {
  readonly range?: ByteRange;
  /** The metadata requested from a list; both kinds, unless it says otherwise. */
  readonly include?: readonly string[];
  readonly show?: ShowFields;
}

export class R2Object {
  readonly key: string;
  readonly version: string;
  readonly size: number;
  readonly etag: string;
  readonly httpEtag: string;
  readonly uploaded: Date;
  readonly checksums: R2Checksums;
  readonly httpMetadata: ShownHttpMetadata;
  readonly customMetadata: Readonly<Record<string, string>>;
  readonly range: (ByteRange & { readonly suffix?: undefined }) | undefined;
  readonly storageClass: string;
  readonly ssecKeyMd5: string | undefined;

  constructor(record: ObjectRecord, { range, include, show = showAllFields }: R2ObjectDetails = {}) {
    this.key = record.key;
    this.version = record.version;
    this.size = record.size;
    this.etag = record.etag;
    this.httpEtag = `"${record.etag}"`;
    this.uploaded = new Date(record.uploaded);
    this.checksums = new R2Checksums(record.checksums, show);
    this.httpMetadata = show(nameHttpMetadata(isIncluded(include, 'httpMetadata') ? record.http : {}));
    this.customMetadata = isIncluded(include, 'customMetadata') ? record.custom : {};
    this.range = range === undefined ? undefined : show({ ...range, suffix: undefined });
    this.storageClass = record.storageClass;
    this.ssecKeyMd5 = undefined;
  }

  writeHttpMetadata(headers: Headers): void {
    for (const [field, header] of Object.entries(httpFields)) {
      const value = this.httpMetadata[field as keyof typeof httpFields];
      if (value !== undefined) headers.set(header, value);
    }
    const { cacheExpiry } = this.httpMetadata;
    if (cacheExpiry !== undefined) headers.set('expires', cacheExpiry.toUTCString());
  }
}

/** Has every field, including those without a value. */
type ShownHttpMetadata = { readonly [K in keyof HttpMetadata]-?: HttpMetadata[K] | undefined };

function nameHttpMetadata(http: HttpMetadata): ShownHttpMetadata {
  return {
    contentType: http.contentType,
    contentLanguage: http.contentLanguage,
    contentDisposition: http.contentDisposition,
    contentEncoding: http.contentEncoding,
    cacheControl: http.cacheControl,
    cacheExpiry: http.cacheExpiry,
  };
}

function isIncluded(include: readonly string[] | undefined, name: string): boolean {
  return include === undefined || include.includes(name);
}

class R2Checksums {
  readonly #hex: ObjectRecord['checksums'];
  readonly #show: ShowFields;
  declare readonly md5?: ArrayBuffer;
  declare readonly sha1?: ArrayBuffer;
  declare readonly sha256?: ArrayBuffer;
  declare readonly sha384?: ArrayBuffer;
  declare readonly sha512?: ArrayBuffer;

  constructor(hex: ObjectRecord['checksums'], show: ShowFields) {
    this.#hex = hex;
    this.#show = show;
    for (const [name, digits] of Object.entries(hex))
      Object.defineProperty(this, name, { value: Uint8Array.fromHex(digits).buffer, enumerable: true });
  }

  toJSON(): Record<ChecksumName, string | undefined> {
    const { md5, sha1, sha256, sha384, sha512 } = this.#hex;
    return this.#show({ md5, sha1, sha256, sha384, sha512 });
  }
}

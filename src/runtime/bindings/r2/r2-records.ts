/** The data exchanged between a bucket and its callers, in whatever process they are. */

/** By their names in options: their names in texts, and the lengths of their digests. */
export const checksumAlgorithms = {
  md5: { shown: 'MD5', bytes: 16 },
  sha1: { shown: 'SHA-1', bytes: 20 },
  sha256: { shown: 'SHA-256', bytes: 32 },
  sha384: { shown: 'SHA-384', bytes: 48 },
  sha512: { shown: 'SHA-512', bytes: 64 },
} as const;

export type ChecksumName = keyof typeof checksumAlgorithms;
export const checksumNames = Object.keys(checksumAlgorithms) as readonly ChecksumName[];

/** The names of HTTP headers that are stored with an object, and their field names here. */
export const httpFields = {
  contentType: 'content-type',
  contentLanguage: 'content-language',
  contentDisposition: 'content-disposition',
  contentEncoding: 'content-encoding',
  cacheControl: 'cache-control',
} as const;

export type HttpMetadata = { -readonly [K in keyof typeof httpFields]?: string } & { cacheExpiry?: Date };

export interface ObjectSettings {
  readonly http: HttpMetadata;
  readonly custom: Readonly<Record<string, string>>;
  readonly storageClass: string;
}

export interface ObjectRecord extends ObjectSettings {
  readonly key: string;
  readonly version: string;
  readonly size: number;
  readonly etag: string;
  readonly uploaded: number;
  /** As hexadecimal digits. */
  readonly checksums: Readonly<Partial<Record<ChecksumName, string>>>;
}

export type Etag =
  | { readonly type: 'strong' | 'weak'; readonly value: string }
  | { readonly type: 'wildcard' };

export interface ObjectCondition {
  readonly etagMatches?: readonly Etag[];
  readonly etagDoesNotMatch?: readonly Etag[];
  /** In milliseconds since 1970. */
  readonly uploadedBefore?: number;
  readonly uploadedAfter?: number;
  /** Whether times are compared in whole seconds, like those of HTTP headers. */
  readonly bySeconds: boolean;
}

export type AskedRange =
  | { readonly offset?: number; readonly length?: number; readonly suffix?: number }
  | { readonly header: string };

export interface PutRequest extends ObjectSettings {
  readonly key: string;
  readonly condition: ObjectCondition | undefined;
  /** The expected digest, as hexadecimal digits. */
  readonly checksum: { readonly name: ChecksumName; readonly hex: string } | undefined;
}

export interface GetRequest {
  readonly key: string;
  readonly condition: ObjectCondition | undefined;
  readonly range: AskedRange | undefined;
}

export type BodyContent = Uint8Array | ReadableStream<unknown>;

/** Without `body` if the condition did not hold. */
export interface FoundObject {
  readonly object: ObjectRecord;
  readonly range: { readonly offset: number; readonly length: number };
  readonly body: BodyContent | undefined;
}

export interface ListRequest {
  readonly prefix: string;
  readonly delimiter: string;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly startAfter: string | undefined;
}

export interface Listing {
  readonly objects: readonly ObjectRecord[];
  readonly prefixes: readonly string[];
  /** Where the next part begins; undefined at the end. */
  readonly cursor: string | undefined;
}

export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
}

/** Options of a bucket's methods, read as the platform reads them. */
import { wrongType } from '#base';
import { toChunk } from '../read-bytes.ts';
import { r2PartsMax, r2PieceBytes } from '../limits.ts';
import {
  type BodyContent,
  checksumAlgorithms,
  type ChecksumName,
  checksumNames,
  httpFields,
  type HttpMetadata,
  type ObjectSettings,
  type PutRequest,
} from './r2-records.ts';

export interface ObjectOptions {
  readonly httpMetadata?: HttpMetadata | Headers;
  readonly customMetadata?: Readonly<Record<string, string>>;
  readonly storageClass?: string;
  readonly ssecKey?: unknown;
}

export type ChecksumOptions = { readonly [K in ChecksumName]?: ArrayBuffer | ArrayBufferView | string };

export function readSettings(options: ObjectOptions): ObjectSettings {
  refuseEncryption(options);
  const { httpMetadata, customMetadata = {}, storageClass = 'Standard' } = options;
  return {
    http: httpMetadata instanceof Headers ? fromHeaders(httpMetadata) : copyHttpMetadata(httpMetadata ?? {}),
    custom: Object.fromEntries(Object.entries(customMetadata).map(([name, value]) => [name, String(value)])),
    storageClass: String(storageClass),
  };
}

/** Customer keys would have to be passed with every read: such encryption is not supported. */
export function refuseEncryption({ ssecKey }: { readonly ssecKey?: unknown }): void {
  if (ssecKey === undefined) return;
  throw new Error(
    'ssecKey is not available: buckets here are not encrypted with keys of their users; see docs/build/bindings.md',
  );
}

export function readChecksum(options: ChecksumOptions): PutRequest['checksum'] {
  const given = checksumNames.filter((name) => options[name] !== undefined);
  if (given.length > 1) throw new TypeError('You cannot specify multiple hashing algorithms.');
  const [name] = given;
  return name === undefined ? undefined : { name, hex: toHex(name, options[name]!) };
}

function toHex(name: ChecksumName, value: ArrayBuffer | ArrayBufferView | string): string {
  const { shown, bytes } = checksumAlgorithms[name];
  if (typeof value === 'string') {
    if (value.length !== bytes * 2)
      throw new TypeError(`${shown} is ${bytes * 2} hex characters, not ${value.length}`);
    if (!/^[0-9a-f]*$/i.test(value)) throw new TypeError(`Provided ${shown} wasn't a valid hex string`);
    return value.toLowerCase();
  }
  if (value.byteLength !== bytes) throw new TypeError(`${shown} is ${bytes} bytes, not ${value.byteLength}`);
  return Buffer.from(viewBytes(value)).toString('hex');
}

/** Converts the values that `put` and `uploadPart` accept: to bytes if they are short, or a stream. */
export function readBody(method: string, value: unknown): BodyContent {
  if (value instanceof ReadableStream) return ReadableStream.from(checkChunks(value));
  if (value instanceof Blob) return value.stream();
  if (value === null || value === undefined) return new Uint8Array(0);
  if (typeof value === 'string') return inPieces(Buffer.from(value));
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
    return inPieces(Buffer.from(viewBytes(value)));
  throw wrongType(
    { method, face: 'R2Bucket' },
    2,
    'ReadableStream or ArrayBuffer or ArrayBufferView or string or Blob',
  );
}

/** Text would arrive as bytes. */
async function* checkChunks(stream: ReadableStream<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield toChunk(chunk);
}

export function checkPartNumber(number: number): void {
  if (Number.isInteger(number) && number >= 1 && number <= r2PartsMax) return;
  throw new TypeError(
    `Part number must be between 1 and ${r2PartsMax} (inclusive). Actual value was: ${number}`,
  );
}

/** The caller may change the bytes, so the result contains copies. */
function inPieces(bytes: Buffer): BodyContent {
  if (bytes.length <= r2PieceBytes) return bytes;
  return ReadableStream.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += r2PieceBytes) yield bytes.subarray(at, at + r2PieceBytes);
    })(),
  );
}

function viewBytes(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
}

function fromHeaders(headers: Headers): HttpMetadata {
  const metadata: HttpMetadata = {};
  for (const [field, header] of Object.entries(httpFields)) {
    const value = headers.get(header);
    if (value !== null) metadata[field as keyof typeof httpFields] = value;
  }
  const expires = headers.get('expires');
  if (expires !== null) metadata.cacheExpiry = new Date(expires);
  return metadata;
}

function copyHttpMetadata(given: HttpMetadata): HttpMetadata {
  const metadata: HttpMetadata = {};
  for (const field of Object.keys(httpFields) as (keyof typeof httpFields)[]) {
    if (given[field] !== undefined) metadata[field] = String(given[field]);
  }
  if (given.cacheExpiry !== undefined) metadata.cacheExpiry = new Date(given.cacheExpiry);
  return metadata;
}

/** What passes between a bucket and a caller who reaches it by the API only: as JSON, with contents behind it. */
import type { HttpMetadata, ObjectRecord, ObjectSettings } from './r2-records.ts';

interface SentHttp extends Omit<HttpMetadata, 'cacheExpiry'> {
  /** In milliseconds since 1970. */
  readonly cacheExpiry?: number;
}

export type Sent<T extends ObjectSettings> = Omit<T, 'http'> & { readonly http: SentHttp };

export function toSent<T extends ObjectSettings>({ http, ...rest }: T): Sent<T> {
  const { cacheExpiry, ...fields } = http;
  const expiry = cacheExpiry?.getTime();
  return { ...rest, http: { ...fields, ...(expiry === undefined ? {} : { cacheExpiry: expiry }) } };
}

export function fromSent<T extends ObjectSettings>({ http, ...rest }: Sent<T>): T {
  const { cacheExpiry, ...fields } = http;
  const read = { ...fields, ...(cacheExpiry === undefined ? {} : { cacheExpiry: new Date(cacheExpiry) }) };
  return { ...rest, http: read } as unknown as T;
}

/** The line before the contents of an object that was found. */
export interface FoundHead {
  readonly object: Sent<ObjectRecord>;
  readonly range: { readonly offset: number; readonly length: number };
  /** Whether contents follow: not if the condition did not hold. */
  readonly hasBody: boolean;
}

const lineEnd = 0x0a;

/** A line of JSON. */
export function writeHead(head: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(head)}\n`);
}

/** The line at the beginning, and what follows; undefined if there is none within so many bytes. */
export function splitHead(
  bytes: Uint8Array,
  bytesMax: number,
): { readonly head: Uint8Array; readonly rest: Uint8Array } | undefined {
  const end = bytes.subarray(0, bytesMax).indexOf(lineEnd);
  return end === -1 ? undefined : { head: bytes.subarray(0, end), rest: bytes.subarray(end + 1) };
}

/** The messages between a bucket and a caller that reaches it only through the API: JSON, followed by contents. */
import type { HttpMetadata, ObjectRecord, ObjectSettings } from './r2-records.ts';

interface SentHttp extends Omit<HttpMetadata, 'cacheExpiry'> {
  /** In milliseconds since 1970. */
  readonly cacheExpiry?: number;
}

export type WireSettings<T extends ObjectSettings> = Omit<T, 'http'> & { readonly http: SentHttp };

export function toSent<T extends ObjectSettings>({ http, ...rest }: T): WireSettings<T> {
  const { cacheExpiry, ...fields } = http;
  const expiry = cacheExpiry?.getTime();
  return { ...rest, http: { ...fields, ...(expiry === undefined ? {} : { cacheExpiry: expiry }) } };
}

export function fromSent<T extends ObjectSettings>({ http, ...rest }: WireSettings<T>): T {
  const { cacheExpiry, ...fields } = http;
  const read = { ...fields, ...(cacheExpiry === undefined ? {} : { cacheExpiry: new Date(cacheExpiry) }) };
  return { ...rest, http: read } as unknown as T;
}

/** The line before the contents of an existing object. */
export interface FoundHead {
  readonly object: WireSettings<ObjectRecord>;
  readonly range: { readonly offset: number; readonly length: number };
  /** Whether contents follow: not if the condition did not hold. */
  readonly hasBody: boolean;
}

const lineEnd = 0x0a;

/** A line of JSON. */
export function writeHead(head: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(head)}\n`);
}

/** Splits the first line from the rest; undefined if no line ends within the maximum length. */
export function splitHead(
  bytes: Uint8Array,
  bytesMax: number,
): { readonly head: Uint8Array; readonly rest: Uint8Array } | undefined {
  const end = bytes.subarray(0, bytesMax).indexOf(lineEnd);
  return end === -1 ? undefined : { head: bytes.subarray(0, end), rest: bytes.subarray(end + 1) };
}

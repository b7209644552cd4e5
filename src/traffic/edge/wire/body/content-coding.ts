/**
 * Content codings of responses (RFC 9110, section 8.4): which responses benefit, which coding a client accepts, and the
 * head of an encoded response.
 */
import type { HeaderField } from '#request';
import { findFieldName, type FieldName } from '../field-names.ts';
import type { ResponseHead } from '../response-head.ts';
import { chunkedBody } from './framing.ts';

/** In the order of preference. */
const contentCodings = ['zstd', 'br', 'gzip'] as const;

export type ContentCoding = (typeof contentCodings)[number];

/** A shorter body fits into one packet anyway. */
const codedBytesMin = 256;

/**
 * Texts, and binary formats that are not compressed already. Event streams are excluded: events must leave one by one.
 */
const codedType =
  /^(?:text\/(?!event-stream)|application\/(?:(?:x-)?javascript|json|xml|wasm|manifest|rtf|[a-z0-9.-]+\+(?:json|xml))|font\/(?:ttf|otf)|image\/(?:svg\+xml|bmp|x-icon|vnd\.microsoft\.icon))/i;

/** Fields that describe the bytes. */
const byteFields: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-range',
  'content-md5',
  'content-digest',
]);

/** Whether a response may be encoded for a client that accepts a coding. */
export function isCodable({ status, headers, names, framing }: ResponseHead): boolean {
  const isComplete = status >= 200 && status !== 206 && framing.kind !== 'none';
  if (!isComplete || (framing.kind === 'length' && framing.length < codedBytesMin)) return false;
  let hasType = false;
  for (let index = 0; index < headers.length; index++) {
    const { lower } = names[index]!;
    const value = headers[index]![1];
    if (byteFields.has(lower)) return false;
    if (lower === 'cache-control' && /\bno-transform\b/i.test(value)) return false;
    if (lower === 'content-type') hasType = codedType.test(value);
  }
  return hasType;
}

/** The preferred coding among those that the client accepts; undefined if it accepts none. */
export function chooseCoding(headers: readonly HeaderField[]): ContentCoding | undefined {
  const accepted = new Set<string>();
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'accept-encoding') continue;
    for (const item of value.split(',')) {
      const [, coding, weight = 1] = /^\s*([a-z]+)\s*(?:;\s*q=([0-9.]+)\s*)?$/i.exec(item) ?? [];
      if (coding !== undefined && Number(weight) > 0) accepted.add(coding.toLowerCase());
    }
  }
  return contentCodings.find((coding) => accepted.has(coding));
}

/** The head of an encodable response with its chosen coding. */
export function encodeHead(head: ResponseHead, coding: ContentCoding | undefined): ResponseHead {
  const headers: HeaderField[] = [];
  const names: FieldName[] = [];
  const add = (name: string, value: string, known = findFieldName(name)!): void => {
    headers.push([name, value]);
    names.push(known);
  };
  let isVaried = false;
  for (let index = 0; index < head.headers.length; index++) {
    const known = head.names[index]!;
    const [name, value] = head.headers[index]!;
    if (known.lower === 'vary' && /\*|\baccept-encoding\b/i.test(value)) isVaried = true;
    if (coding !== undefined && (known.lower === 'accept-ranges' || known.role === 'content-length'))
      continue;
    // The bytes differ, the content is the same.
    const isStrong = coding !== undefined && known.lower === 'etag' && value.startsWith('"');
    add(name, isStrong ? `W/${value}` : value, known);
  }
  if (!isVaried) add('vary', 'accept-encoding');
  if (coding === undefined) return { ...head, headers, names, kept: undefined };
  add('content-encoding', coding);
  return { ...head, headers, names, kept: undefined, framing: chunkedBody };
}

/**
 * The length of a message. It must be unambiguous: with both a length and a coding, with two lengths, or with a coding that
 * is not exactly `chunked`, two servers may read different messages, so these are refused.
 */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  /** For responses only: the body ends with the connection. */
  | { readonly kind: 'close' };

export const noBody: Framing = { kind: 'none' };
export const chunkedBody: Framing = { kind: 'chunked' };
export const untilClose: Framing = { kind: 'close' };

export function hasBody(framing: Framing): boolean {
  return framing.kind !== 'none' && !(framing.kind === 'length' && framing.length === 0);
}

/** 15 digits stay within the exact integers. */
const digits = /^[0-9]{1,15}$/;

/** Accepts only digits; undefined for anything else. */
export function parseLength(value: string): number | undefined {
  return digits.test(value) ? Number(value) : undefined;
}

export function isChunked(value: string): boolean {
  return value === 'chunked' || (value.length === 7 && value.toLowerCase() === 'chunked');
}

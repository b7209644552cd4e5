/**
 * How long a message is. There must be one answer only: a length and a coding together, two lengths, or a coding that is
 * not exactly `chunked` are where two servers begin to read different messages, so they have no answer here.
 */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  /** Of responses only: until the connection ends. */
  | { readonly kind: 'close' };

export const noBody: Framing = { kind: 'none' };
export const chunkedBody: Framing = { kind: 'chunked' };
export const untilClose: Framing = { kind: 'close' };

export function hasBody(framing: Framing): boolean {
  return framing.kind !== 'none' && !(framing.kind === 'length' && framing.length === 0);
}

/** 15 digits stay in the range of exact integers. */
const digits = /^[0-9]{1,15}$/;

/** Digits and nothing else; undefined for anything that is not. */
export function parseLength(value: string): number | undefined {
  return digits.test(value) ? Number(value) : undefined;
}

export function isChunked(value: string): boolean {
  return value === 'chunked' || (value.length === 7 && value.toLowerCase() === 'chunked');
}

/**
 * The keys of stored objects repeat endlessly, and a newly created string has to be looked up by V8 before it can name
 * a property. This remembers the strings of the short keys seen last, found by their bytes: one slot per hash, and the
 * newest wins.
 */
const slots = 1024;
/** Longer keys are rarely repeated often enough to be worth hashing. */
export const cachedKeyBytesMax = 32;

const { fromCharCode } = String;

const cached = Array.from({ length: slots }, () => '');

export function cachedKey(bytes: Uint8Array, start: number, end: number): string {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
  const slot = (hash ^ (hash >>> 10)) & (slots - 1);
  const candidate = cached[slot]!;
  if (equals(candidate, bytes, start, end)) return candidate;
  const key = shortString(bytes, start, end);
  cached[slot] = key;
  return key;
}

function equals(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

/** A Latin-1 string, for lengths where calling into native code costs more than adding characters. */
export function shortString(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let i = start;
  for (; i + 4 <= end; i += 4) text += fromCharCode(bytes[i]!, bytes[i + 1]!, bytes[i + 2]!, bytes[i + 3]!);
  for (; i < end; i++) text += fromCharCode(bytes[i]!);
  return text;
}

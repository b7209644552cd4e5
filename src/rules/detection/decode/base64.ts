/** Text that is hidden in Base64: the whole value, and only if the hidden text contains punctuation. */
import { base64CharactersMax, base64CharactersMin } from '../limits.ts';

const shape = /^[A-Za-z0-9+/_-]+={0,2}$/;

/* oxlint-disable-next-line no-control-regex */
const binary = /[\0-\x08\x0e-\x1f\x7f]/;

/** Undefined if the value is not Base64, or hides no text. */
export function decodeBase64Text(text: string): string | undefined {
  const { length } = text;
  if (length < base64CharactersMin || length > base64CharactersMax || length % 4 === 1) return undefined;
  // Most tokens are random: even their first bytes are not text.
  if (!looksLikeText(text.slice(0, 12)) || !shape.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  // Text beyond ASCII is rare in hidden attacks, and common in random bytes.
  if (binary.test(decoded) || countHigh(decoded) * 8 > decoded.length) return undefined;
  return /[^\w.-]/.test(decoded) || /^(?:rO0AB|AAEAAAD|gA[SJN]|BAhvO)/.test(decoded) ? decoded : undefined;
}

function looksLikeText(head: string): boolean {
  const bytes = Buffer.from(head, 'base64');
  for (const byte of bytes) if ((byte < 0x20 && (byte < 0x09 || byte > 0x0d)) || byte === 0x7f) return false;
  return bytes.length > 0 && bytes[0]! < 0x80;
}

function countHigh(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7e) count++;
  return count;
}

/** Binary strings: one character per byte, none above U+00FF. */

/** Encodes a text as UTF-8, in a binary string. */
export function bytesOf(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Decodes UTF-8; undefined if the bytes are not valid UTF-8. */
export function textOf(bytes: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8 for people to read: what is not valid becomes U+FFFD. */
export function showText(bytes: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

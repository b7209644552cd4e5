/**
 * Changes ASCII letters only: JavaScript's own methods also change characters above ASCII, which here are bytes of other
 * characters.
 */

const upperPattern = /[A-Z]/;
const lowerPattern = /[a-z]/;

// oxlint-disable-next-line no-control-regex
const asciiOnly = /^[\0-\x7f]*$/;

export function lowerAscii(bytes: string): string {
  if (asciiOnly.test(bytes)) return bytes.toLowerCase();
  if (!upperPattern.test(bytes)) return bytes;
  return bytes.replaceAll(/[A-Z]+/g, (run) => run.toLowerCase());
}

/** Without spaces and tabs around it. `trim` also removes U+00A0, which here is a byte of another character. */
export function trimBlanks(bytes: string): string {
  let [start, end] = [0, bytes.length];
  while (start < end && isBlank(bytes.charCodeAt(start))) start++;
  while (start < end && isBlank(bytes.charCodeAt(end - 1))) end--;
  return bytes.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

export function upperAscii(bytes: string): string {
  if (!lowerPattern.test(bytes)) return bytes;
  return bytes.replaceAll(/[a-z]+/g, (run) => run.toUpperCase());
}

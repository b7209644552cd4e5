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

export function upperAscii(bytes: string): string {
  if (!lowerPattern.test(bytes)) return bytes;
  return bytes.replaceAll(/[a-z]+/g, (run) => run.toUpperCase());
}

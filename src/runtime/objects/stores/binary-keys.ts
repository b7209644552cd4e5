/**
 * Keys in the order of their UTF-8 bytes. A binary key holds one byte per char, so comparing two of them
 * with `<` compares bytes, which JavaScript's own order of strings does not do.
 */
// oxlint-disable-next-line no-control-regex -- the class is exactly ASCII
const ascii = /^[\u0000-\u007f]*$/;

export function toBinaryKey(key: string): string {
  if (ascii.test(key)) return key;
  if (key.isWellFormed()) return Buffer.from(key, 'utf8').toString('latin1');
  // Lone surrogates have no UTF-8; like workerd, keep them apart as the three bytes they would have.
  return key
    .split(/([\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])/)
    .map((part) =>
      part.length === 1 && !part.isWellFormed() ? surrogateBytes(part.charCodeAt(0)) : toBinaryKey(part),
    )
    .join('');
}

export function fromBinaryKey(key: string): string {
  return ascii.test(key) ? key : Buffer.from(key, 'latin1').toString('utf8');
}

export function keyBytes(key: string): number {
  return ascii.test(key) ? key.length : toBinaryKey(key).length;
}

function surrogateBytes(unit: number): string {
  return String.fromCharCode(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
}

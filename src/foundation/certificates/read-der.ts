/** Reads the elements of DER. The bytes are untrusted: an invalid element ends the list. */

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

export function* readElements(bytes: Buffer): Generator<Element> {
  for (let at = 0; at + 2 <= bytes.length;) {
    const tag = bytes[at]!;
    const first = bytes[at + 1]!;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) return;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    if (start + length > bytes.length) return;
    yield { tag, content: bytes.subarray(start, start + length) };
    at = start + length;
  }
}

/** The content of the first element with this tag. */
export function findElement(bytes: Buffer, tag: number): Buffer | undefined {
  for (const element of readElements(bytes)) if (element.tag === tag) return element.content;
  return undefined;
}

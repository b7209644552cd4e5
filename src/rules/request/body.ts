/* oxlint-disable no-control-regex */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\0-\xff]{4}WEBP/, 'image/webp'],
  [/^%PDF-/, 'application/pdf'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^\x1f\x8b/, 'application/gzip'],
  [/^\s*<(?:!doctype html|html|head|body|script)\b/i, 'text/html'],
  [/^\s*<\?xml\b/, 'text/xml'],
  [/^\s*[[{]/, 'application/json'],
];

/** Bytes that do not occur in text. */
const binaryByte = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
/* oxlint-enable no-control-regex */

/** The type of a body by its content, not by its Content-Type header; `""` for an empty body. */
export function sniffType(body: string): string {
  if (body === '') return '';
  const head = body.slice(0, 512);
  const found = signatures.find(([signature]) => signature.test(head));
  if (found !== undefined) return found[1];
  return binaryByte.test(head) ? 'application/octet-stream' : 'text/plain';
}

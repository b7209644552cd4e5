/**
 * Bytes and texts: ASCII case, binary strings, suggestions for misspelt names; and the readers of hostile formats that are
 * read without being parsed whole: escapes of URLs and JSON, pairs of queries and cookies, JSON tokens, multipart forms.
 *
 * ```ts
 * decodeUrlEscapes('a%20b+c');   // 'a b c'
 * didYouMean('lsit', ['list', 'get']);
 * ```
 */
export { lowerAscii, trimBlanks, upperAscii } from './text/ascii.ts';
export {
  bitsOfBytes,
  byteAt,
  bytesOf,
  changeBytes,
  copyBytes,
  readBytes,
  showText,
  textOf,
} from './text/binary-string.ts';
export { isSignedIn } from './text/signed-in.ts';
export { Changes } from './text/changes.ts';
export { decodeAllEscapes, decodeJsonEscapes, writeCodePoint } from './text/json-escapes.ts';
export { type JsonToken, visitJson, visitJsonStrings } from './text/json-text.ts';
export { type MultipartFlaw, type MultipartPart, readBoundary, splitMultipart } from './text/multipart.ts';
export { findCookies, visitCookies, visitPairs } from './text/pairs.ts';
export { decodeUrlEscapes, readUrlCode, readUrlEscape, type UrlEscapeOptions } from './text/url-escapes.ts';
export { didYouMean } from './text/did-you-mean.ts';
export { Recurrence, sampleText } from './text/recurrence.ts';

/**
 * A request's head, or why it is refused.
 *
 * The parser is our own, over raw sockets, rather than that of `node:http`, for two reasons. Strictness: llhttp lets
 * several spaces in the request line, RTSP and ICE versions and bare line feeds before a request pass, and what it hands
 * over no longer shows them. Speed: a proxy has no use for the streams and header maps of `node:http`, which cost more than
 * parsing. Every doubt is decided towards refusal; a test holds the parser to accept nothing that llhttp refuses.
 */
import { readFields } from '../field-lines.ts';
import type { WireLimits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { FieldReading } from './request-fields.ts';
import type { RequestHead } from './request-head.ts';
import { readRequestLine } from './request-line.ts';

/** `text` is the head without its last CR LF CR LF. */
export function parseRequestHead(text: string, limits: WireLimits): RequestHead | Refusal {
  const lineEnd = text.indexOf('\r\n');
  const line = readRequestLine(lineEnd === -1 ? text : text.slice(0, lineEnd), limits);
  if (line instanceof Refusal) return line;
  const fields = readFields(text, lineEnd === -1 ? text.length : lineEnd + 2, {
    countMax: limits.headerCountMax,
    lineBytesMax: limits.headerLineBytesMax,
  });
  if (fields === 'too-large')
    return new Refusal('head_too_large', 'There are too many header fields, or one is too long.');
  if (fields === 'malformed') return new Refusal('bad_header', 'A header field is malformed.');
  const { headers, names } = fields;
  const reading = new FieldReading(line.httpVersion);
  for (let index = 0; index < headers.length; index++) {
    const refusal = reading.take(names[index]!, headers[index]![1]);
    if (refusal !== undefined) return refusal;
  }
  return reading.finish(line, headers, names, limits);
}

/**
 * Parses a request's head, or returns why it is refused.
 *
 * The parser is our own, over raw sockets, instead of that of `node:http`, for two reasons. Strictness: llhttp accepts
 * several spaces in the request line, RTSP and ICE versions and bare line feeds before a request, and its output no longer
 * shows them. Speed: a proxy does not need the streams and header maps of `node:http`, which cost more than parsing. In
 * doubt it refuses; a test checks that the parser accepts nothing that llhttp refuses.
 */
import { type LastNames, readFields } from '../field-lines.ts';
import type { HeadMemory } from '../head-memory.ts';
import type { WireLimits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { FieldReading } from './request-fields.ts';
import type { RequestHead } from './request-head.ts';
import { readRequestLine, type RequestLine } from './request-line.ts';
import { isPathAndQuery } from './target.ts';

const lastNames: LastNames = [];

/** `text` is the head without its final CR LF CR LF, `memory` belongs to its connection. */
export function parseRequestHead(
  text: string,
  limits: WireLimits,
  memory?: HeadMemory<RequestHead>,
): RequestHead | Refusal {
  const lineEnd = text.indexOf('\r\n');
  const line = readRequestLine(text, lineEnd === -1 ? text.length : lineEnd, limits);
  if (line instanceof Refusal) return line;
  const { headerCountMax: countMax, headerLineBytesMax: lineBytesMax } = limits;
  const from = lineEnd === -1 ? text.length : lineEnd + 2;
  const fields = readFields(text, from, { countMax, lineBytesMax }, { lastNames, memory });
  if (fields === 'too-large')
    return new Refusal('head_too_large', 'There are too many header fields, or one is too long.');
  if (fields === 'malformed') return new Refusal('bad_header', 'A header field is malformed.');
  const last = memory?.recallHead(fields);
  if (last !== undefined && isLike(last, line)) return { ...last, target: line.rawTarget };
  const { headers, names } = fields;
  const reading = new FieldReading(line.httpVersion);
  for (let index = 0; index < headers.length; index++) {
    const refusal = reading.take(names[index]!, headers[index]![1]);
    if (refusal !== undefined) return refusal;
  }
  const head = reading.finish(line, fields, limits);
  if (!(head instanceof Refusal)) memory?.rememberHead(fields, head);
  return head;
}

/** Whether a head with the same fields differs from the last one only in its target. */
function isLike(last: RequestHead, { method, httpVersion, rawTarget }: RequestLine): boolean {
  return last.method === method && last.httpVersion === httpVersion && isPathAndQuery(rawTarget);
}

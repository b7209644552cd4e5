/** A whole request in bytes, parsed as the edge parses one from a connection. */
import { createBodyDecoder } from '../body/body-decoder.ts';
import type { RequestMessage } from '#request';
import { defaultLimits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { parseRequestHead } from './parse-request-head.ts';

export interface RawRequest extends RequestMessage {
  /** Without its framing. */
  readonly body: Buffer;
}

/** Bytes after the body are ignored; a truncated body ends where the bytes end. */
export function readRawRequest(bytes: Buffer): RawRequest | Refusal {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return new Refusal('bad_request_line', 'The request has no end of its head.');
  const head = parseRequestHead(bytes.toString('latin1', 0, end), defaultLimits);
  if (head instanceof Refusal) return head;
  const decoder = createBodyDecoder(head.framing);
  const body = decoder.decode(Buffer.from(bytes.subarray(end + 4)));
  if (decoder.isBroken) return new Refusal('bad_chunk', 'A chunk of the body is malformed.');
  const { method, target, httpVersion, headers } = head;
  return { method, target, httpVersion, headers, body };
}

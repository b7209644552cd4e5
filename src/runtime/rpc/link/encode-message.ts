import { encodePlain } from '#values';
import { createTooLargeError } from '../copy.ts';
import { messageBytesMax } from '../limits.ts';

/** The bytes of plain data, which are its copy as well; undefined for what has to be copied by the rules of RPC. */
export function encodeMessage(value: unknown): Uint8Array | undefined {
  const bytes = encodePlain(value);
  if (bytes !== undefined && bytes.length > messageBytesMax) throw createTooLargeError(bytes.length);
  return bytes;
}

import { encodePlain } from '#values';
import { createTooLargeError } from '../copy.ts';
import { messageBytesMax } from '../limits.ts';

/** The bytes of plain data, which also serve as its copy; undefined for a value that must be copied by RPC's rules. */
export function encodeMessage(value: unknown): Uint8Array | undefined {
  const bytes = encodePlain(value);
  if (bytes !== undefined && bytes.length > messageBytesMax) throw createTooLargeError(bytes.length);
  return bytes;
}

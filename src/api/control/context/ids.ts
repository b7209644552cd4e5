/**
 * The ids of what clients create: 32 hexadecimal digits, the first twelve of them the time in milliseconds and the
 * others random. Ids created in succession are close together in an index, so the writes of one commit change a few of
 * its pages instead of one page each.
 */
import { randomUUID } from 'node:crypto';

export function createId(nowMs: number): string {
  // Everything in a UUID except the version and the variant is random: 80 bits of that are enough within a millisecond.
  const uuid = randomUUID();
  return Math.floor(nowMs).toString(16).padStart(12, '0') + uuid.slice(24) + uuid.slice(0, 8);
}

/**
 * The ids of what clients create: 32 hexadecimal digits, the first twelve of them the time in milliseconds and the others
 * random. Ids that are created one after the other are close together in an index, so the writes that share a commit
 * change a few of its pages, and not one page each.
 */
import { randomUUID } from 'node:crypto';

export function createId(nowMs: number): string {
  // All but the version and the variant of a UUID is random: 80 bits of that are enough within a millisecond.
  const uuid = randomUUID();
  return Math.floor(nowMs).toString(16).padStart(12, '0') + uuid.slice(24) + uuid.slice(0, 8);
}

import { randomBytes } from 'node:crypto';

/** In the form of a ray id without its place. */
export function createRequestId(): string {
  return randomBytes(8).toString('hex');
}

/**
 * The secret that signs challenges and clearances: created at the first start and stored, so that clients need not solve a
 * challenge again after a restart.
 */
import { randomBytes } from 'node:crypto';
import { createPrivateFile, readIfThere, StartError } from '#base';

const secretBytes = 32;

export function openEdgeSecret(file: string): Uint8Array {
  let kept = readIfThere(file);
  if (kept === undefined) {
    createPrivateFile(file, `${randomBytes(secretBytes).toString('base64url')}\n`);
    // Of two processes that start at the same time, one has created it.
    kept = readIfThere(file) ?? '';
  }
  const secret = Buffer.from(kept.trim(), 'base64url');
  if (secret.length === secretBytes) return secret;
  throw new StartError(`${file} is damaged: delete it, and the next start creates a new one`);
}

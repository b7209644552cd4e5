/** What signs challenges and clearances: made at the first start and kept, so that clients need not solve again after another. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartError } from '../data-directory.ts';
import { createPrivateFile } from '../private-file.ts';

const secretBytes = 32;

export function openEdgeSecret(file: string): Uint8Array {
  createPrivateFile(file, `${randomBytes(secretBytes).toString('base64url')}\n`);
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  if (secret.length === secretBytes) return secret;
  throw new StartError(`${file} is damaged: delete it to have another made`);
}

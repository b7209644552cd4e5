/**
 * The secret that signs challenges and clearances: created at the first start and stored, so that clients need not solve a
 * challenge again after a restart. One that is damaged with its copy is set aside, and a new one is created: clients then
 * solve their challenges again.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { createSecretFile, mendSecretFile, readSecretFile, type SecretFile } from '#base';

const secretBytes = 32;

export function openEdgeSecret(path: string, warn: (message: string) => void = () => {}): Uint8Array {
  const file: SecretFile = { path, isSecret: (content) => decode(content).length === secretBytes };
  const found = readSecretFile(file);
  if (found.state === 'whole') {
    mendSecretFile(file, warn);
    return decode(found.content);
  }
  if (found.state === 'damaged') {
    for (const each of [path, `${path}.copy`])
      if (existsSync(each)) renameSync(each, `${each}.damaged-${Date.now()}`);
    warn(`${found.reason}: set aside, and a new one was created; visitors solve their challenges again`);
  }
  return decode(createSecretFile(file, `${randomBytes(secretBytes).toString('base64url')}\n`));
}

function decode(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1').trim(), 'base64url');
}

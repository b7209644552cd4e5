/**
 * The secret that signs challenges and clearances: created at the first start and stored, so that clients need not
 * solve a challenge again after a restart. If it is damaged together with its copy, both are set aside and a new one is
 * created: clients then solve their challenges again.
 */
import { randomBytes } from 'node:crypto';
import {
  createSecretFile,
  decodeSecretText,
  isSecretText,
  mendSecretFile,
  readSecretFile,
  type SecretFile,
  secretKeyBytes,
  setAsideSecretFile,
} from '#files';

export function openEdgeSecret(path: string, warn: (message: string) => void = () => {}): Uint8Array {
  const file: SecretFile = { path, isSecret: isSecretText };
  const found = readSecretFile(file);
  if (found.state === 'whole') {
    mendSecretFile(file, warn);
    return decodeSecretText(found.content);
  }
  if (found.state === 'damaged') {
    setAsideSecretFile(path);
    warn(`${found.reason}: set aside, and a new one was created; visitors solve their challenges again`);
  }
  const created = createSecretFile(file, `${randomBytes(secretKeyBytes).toString('base64url')}\n`);
  return decodeSecretText(created);
}

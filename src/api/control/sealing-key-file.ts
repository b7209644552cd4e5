import { randomBytes } from 'node:crypto';
import {
  createSecretFile,
  isSecretKey,
  mendSecretFile,
  readSecretFile,
  type SecretFile,
  secretKeyBytes,
} from '#files';
import type { SealingKey } from './context/key-sealer.ts';

/** A key in a file, with a copy beside it. */
export class SealingKeyFile implements SealingKey {
  readonly place: string;
  readonly #file: SecretFile;
  #key: Buffer | undefined;

  constructor(path: string) {
    this.place = path;
    this.#file = describeFile(path);
  }

  read(): Buffer | undefined {
    if (this.#key !== undefined) return this.#key;
    const found = readSecretFile(this.#file);
    if (found.state === 'absent') return undefined;
    if (found.state === 'damaged') throw new Error(`${found.reason}: it must have ${secretKeyBytes} bytes`);
    this.#key = found.content;
    return this.#key;
  }

  create(): Buffer {
    this.#key = createSecretFile(this.#file, randomBytes(secretKeyBytes));
    return this.#key;
  }
}

/** Called at the start of the program: a missing or damaged file is restored from its copy, and vice versa. */
export function mendSealingKey(path: string, warn: (message: string) => void): void {
  mendSecretFile(describeFile(path), warn);
}

function describeFile(path: string): SecretFile {
  return { path, isSecret: isSecretKey };
}

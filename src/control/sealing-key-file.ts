import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SealingKey } from './context/key-sealer.ts';

const keyBytes = 32;

/** A key in a file. */
export class SealingKeyFile implements SealingKey {
  readonly place: string;
  #key: Buffer | undefined;

  constructor(file: string) {
    this.place = file;
  }

  read(): Buffer | undefined {
    if (this.#key !== undefined) return this.#key;
    let key: Buffer;
    try {
      key = readFileSync(this.place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    if (key.length !== keyBytes) throw new Error(`${this.place} is damaged: it must have ${keyBytes} bytes`);
    this.#key = key;
    return key;
  }

  create(): Buffer {
    const key = randomBytes(keyBytes);
    const temporary = `${this.place}.${process.pid}.tmp`;
    writeFileSync(temporary, key, { mode: 0o600, flush: true });
    try {
      linkSync(temporary, this.place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return this.read()!;
    } finally {
      rmSync(temporary, { force: true });
    }
    const directory = openSync(dirname(this.place), 'r');
    fsyncSync(directory);
    closeSync(directory);
    this.#key = key;
    return key;
  }
}

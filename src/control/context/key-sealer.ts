/**
 * Encrypts private keys before they are stored, with a key in a file of its own (mode 0600). Whoever gets the log, an
 * export or a snapshot of an object, but not this file, cannot read them. The file is created with the first key that is
 * sealed, by whichever process of the objects seals it: the first one wins, the others take its key.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export class KeySealer {
  readonly #file: string;
  #key: Buffer | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** `about` says what the text belongs to; it opens for nothing else. */
  seal(text: string, about: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#readKey() ?? this.#createKey(), nonce);
    cipher.setAAD(Buffer.from(about));
    const sealed = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64');
  }

  /** Throws if the key is gone, or the text was sealed with another one or for something else. */
  open(sealed: string, about: string): string {
    const key = this.#readKey();
    if (key === undefined) throw new Error(`cannot read a private key: ${this.#file} is missing`);
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(about));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  }

  #readKey(): Buffer | undefined {
    if (this.#key !== undefined) return this.#key;
    let key: Buffer;
    try {
      key = readFileSync(this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    if (key.length !== keyBytes) throw new Error(`${this.#file} is damaged: it must have ${keyBytes} bytes`);
    this.#key = key;
    return key;
  }

  /** On disk before anything is stored that needs it. */
  #createKey(): Buffer {
    const key = randomBytes(keyBytes);
    const temporary = `${this.#file}.${process.pid}.tmp`;
    writeFileSync(temporary, key, { mode: 0o600, flush: true });
    try {
      linkSync(temporary, this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return this.#readKey()!;
    } finally {
      rmSync(temporary, { force: true });
    }
    const directory = openSync(dirname(this.#file), 'r');
    fsyncSync(directory);
    closeSync(directory);
    this.#key = key;
    return key;
  }
}

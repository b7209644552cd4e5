/**
 * Encrypts private keys before they are stored, with a key in a file of its own (mode 0600). Someone with the log, an
 * export or a snapshot of an object, but without this file, cannot read them. The file is created when the first key is
 * sealed, by the process that seals it; if several do, the first one wins and the others use its key. The hosts of a
 * cluster have their key in an object instead.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const derivedBytes = 32;

/** Where the encryption key is stored. */
export interface SealingKey {
  /** The place of the key, for messages. */
  readonly place: string;
  /** Undefined if there is no key yet. */
  read(): Buffer | undefined;
  /** Durable before anything is stored that needs it. */
  create(): Buffer;
}

export class KeySealer {
  readonly #key: SealingKey;

  constructor(key: SealingKey) {
    this.#key = key;
  }

  /** Derives 32 bytes that are unpredictable without the key, and always the same for the same purpose. */
  derive(purpose: string): Buffer {
    const key = this.#key.read() ?? this.#key.create();
    return Buffer.from(hkdfSync('sha256', key, '', purpose, derivedBytes));
  }

  /** `about` identifies what the text belongs to; the sealed text can only be opened with the same value. */
  seal(text: string, about: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key.read() ?? this.#key.create(), nonce);
    cipher.setAAD(Buffer.from(about));
    const sealed = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64');
  }

  /** Throws if the key is missing, or if the text was sealed with another key or for something else. */
  open(sealed: string, about: string): string {
    const key = this.#key.read();
    if (key === undefined) throw new Error(`cannot read a private key: ${this.#key.place} is missing`);
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(about));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  }
}

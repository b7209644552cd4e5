/**
 * Encrypts private keys before they are stored, with a key in a file of its own (mode 0600). Someone who has the log,
 * an export or a snapshot of an object, but not this file, cannot read them. The file is created with the first key that is
 * sealed, by whichever process of the objects seals it: the first one wins, the others take its key. The hosts of a
 * cluster have their key in an object instead.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const derivedBytes = 32;

/** Where the key is kept. */
export interface SealingKey {
  /** For messages. */
  readonly place: string;
  /** Undefined if there is none yet. */
  read(): Buffer | undefined;
  /** Durable before anything is stored that needs it. */
  create(): Buffer;
}

export class KeySealer {
  readonly #key: SealingKey;

  constructor(key: SealingKey) {
    this.#key = key;
  }

  /** 32 bytes that cannot be known without the key: always the same for the same purpose. */
  derive(purpose: string): Buffer {
    const key = this.#key.read() ?? this.#key.create();
    return Buffer.from(hkdfSync('sha256', key, '', purpose, derivedBytes));
  }

  /** `about` says what the text belongs to; it opens for nothing else. */
  seal(text: string, about: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key.read() ?? this.#key.create(), nonce);
    cipher.setAAD(Buffer.from(about));
    const sealed = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64');
  }

  /** Throws if the key is gone, or the text was sealed with another one or for something else. */
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

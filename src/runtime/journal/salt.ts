/** Eight random bytes of a segment. Every record in it contains them, mixed with its position. */
import { randomBytes } from 'node:crypto';

export interface Salt {
  readonly low: number;
  readonly high: number;
}

/** The salt of segments that 0.1.0 wrote. */
export const noSalt: Salt = { low: 0, high: 0 };

export const saltBytes = 8;

export function createSalt(): Salt {
  return readSalt(randomBytes(saltBytes), 0);
}

export function readSalt(source: Buffer, offset: number): Salt {
  return { low: source.readUInt32LE(offset), high: source.readUInt32LE(offset + 4) };
}

export function writeSalt(target: Buffer, { low, high }: Salt, offset: number): void {
  target.writeUInt32LE(low, offset);
  target.writeUInt32LE(high, offset + 4);
}

export function formatSalt(salt: Salt): string {
  const bytes = Buffer.alloc(saltBytes);
  writeSalt(bytes, salt, 0);
  return bytes.toString('hex');
}

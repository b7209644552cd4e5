/** Signatures of messages with a shared key (TSIG, RFC 8945). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeName, numbers16, readAnswer, skipName } from './dns-message.ts';
import { clockSecondsApart } from './limits.ts';

const algorithms = ['sha256', 'sha384', 'sha512'] as const;
const signatureType = 250;
const anyClass = 255;

export interface TransactionKey {
  readonly name: string;
  readonly algorithm: (typeof algorithms)[number];
  readonly secret: Buffer;
}

/** `[ALGORITHM:]NAME:SECRET`, as nsupdate accepts it. Throws a RangeError. */
export function readTransactionKey(written: string): TransactionKey {
  const parts = written.split(':');
  const [algorithm = '', name = '', secret = ''] = parts.length === 2 ? ['hmac-sha256', ...parts] : parts;
  const known = algorithms.find((each) => algorithm.toLowerCase() === `hmac-${each}`);
  if (known === undefined || name === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(secret)) {
    throw new RangeError(
      'acme_dns_key must be ALGORITHM:NAME:SECRET: hmac-sha256, hmac-sha384 or hmac-sha512, the name of the key, and its secret as Base64',
    );
  }
  return { name, algorithm: known, secret: Buffer.from(secret, 'base64') };
}

export interface SignedMessage {
  readonly bytes: Buffer;
  readonly signature: Buffer;
}

export function signMessage(message: Buffer, key: TransactionKey, nowMs: number): SignedMessage {
  const timers = encodeTimers(nowMs);
  const signature = computeSignature(key, [message], timers);
  const content = Buffer.concat([
    encodeName(algorithmName(key)),
    timers,
    numbers16(signature.length),
    signature,
    message.subarray(0, 2),
    numbers16(0, 0),
  ]);
  const record = [numbers16(signatureType, anyClass, 0, 0, content.length), content];
  const bytes = Buffer.concat([message, encodeName(key.name), ...record]);
  bytes.writeUInt16BE(bytes.readUInt16BE(10) + 1, 10);
  return { bytes, signature };
}

/** Whether the answer to a signed request was signed with the key. */
export function isSignedAnswer(answer: Buffer, key: TransactionKey, request: SignedMessage): boolean {
  const start = readAnswer(answer)?.lastRecord;
  const behindName = start === undefined ? undefined : skipName(answer, start);
  if (start === undefined || behindName === undefined) return false;
  if (answer.readUInt16BE(behindName) !== signatureType) return false;
  const behindAlgorithm = skipName(answer, behindName + 10);
  if (behindAlgorithm === undefined || behindAlgorithm + 10 > answer.length) return false;
  const timers = answer.subarray(behindAlgorithm, behindAlgorithm + 8);
  const length = answer.readUInt16BE(behindAlgorithm + 8);
  const given = answer.subarray(behindAlgorithm + 10, behindAlgorithm + 10 + length);
  const message = Buffer.from(answer.subarray(0, start));
  message.writeUInt16BE(message.readUInt16BE(10) - 1, 10);
  const signed = [numbers16(request.signature.length), request.signature, message];
  const expected = computeSignature(key, signed, timers);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The time in seconds, six bytes, and the permitted clock difference. */
function encodeTimers(nowMs: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(Math.floor(nowMs / 1_000), 0, 6);
  bytes.writeUInt16BE(clockSecondsApart, 6);
  return bytes;
}

function computeSignature(key: TransactionKey, signed: readonly Buffer[], timers: Buffer): Buffer {
  const variables = [encodeName(key.name), numbers16(anyClass, 0, 0), encodeName(algorithmName(key))];
  const all = Buffer.concat([...signed, ...variables, timers, numbers16(0, 0)]);
  return createHmac(key.algorithm, key.secret).update(all).digest();
}

function algorithmName({ algorithm }: TransactionKey): string {
  return `hmac-${algorithm}`;
}

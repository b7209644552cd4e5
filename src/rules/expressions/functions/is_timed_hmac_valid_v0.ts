import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FunctionDefinition } from '../ast.ts';
import {
  bytesParameter,
  everywhere,
  readBytes,
  createFlagCheck,
  createIntCheck,
  intParameter,
  result,
} from '../parameters.ts';
import { boolType } from '../types.ts';

/**
 * A message with its code is `message separator timestamp "-" code`: the timestamp has ten digits, and the code is the
 * Base64 of HMAC-SHA256 over message and timestamp, without the separator. The code is escaped for a URL or, with option s,
 * in the URL-safe alphabet without padding.
 */
export const is_timed_hmac_valid_v0: FunctionDefinition = {
  name: 'is_timed_hmac_valid_v0',
  summary: 'Whether a message has the right code for this key and is not older than this many seconds.',
  parameters: [
    bytesParameter('key', { kind: 'Literal' }),
    bytesParameter('message_and_code', { kind: 'Any' }),
    intParameter('lifetime_seconds', { kind: 'Literal', checkInt: createIntCheck(0, 2 ** 31) }),
    intParameter('now', { kind: 'Any' }),
    intParameter('separator_length', {
      kind: 'Literal',
      isOptional: true,
      checkInt: createIntCheck(0, 4096),
    }),
    bytesParameter('options', { kind: 'Literal', isOptional: true, checkBytes: createFlagCheck('s') }),
  ],
  uses: everywhere,
  resultType: result(boolType),
  prepare: ([, , , , , options]) => {
    const isUrlSafe = readBytes(options) === 's';
    return (
      key: string,
      text: string | undefined,
      lifetime: number,
      now: number | undefined,
      separatorLength = 0,
    ) => {
      if (text === undefined || now === undefined) return undefined;
      const parts = isUrlSafe ? splitUrlSafe(text) : splitEscaped(text);
      if (parts === undefined) return false;
      const { head, code } = parts;
      const timestamp = head.slice(-timestampDigits);
      if (!/^\d{10}$/.test(timestamp)) return false;
      const message = head.slice(0, Math.max(0, head.length - timestampDigits - separatorLength));
      const isFresh = now < Number(timestamp) + lifetime;
      return isSameCode(code, computeCode(key, message + timestamp)) && isFresh;
    };
  },
};

const timestampDigits = 10;
/** Thirty-two bytes in Base64 without padding. */
const urlSafeCodeLength = 43;

/** The URL-safe alphabet contains `-`, so the code is located by its length. */
function splitUrlSafe(text: string): { head: string; code: Buffer } | undefined {
  const dash = text.length - urlSafeCodeLength - 1;
  const code = text.slice(dash + 1);
  if (text[dash] !== '-' || !/^[\w-]+$/.test(code)) return undefined;
  return { head: text.slice(0, dash), code: Buffer.from(code, 'base64url') };
}

function splitEscaped(text: string): { head: string; code: Buffer } | undefined {
  const dash = text.lastIndexOf('-');
  const code = text.slice(dash + 1).replaceAll(/%2B|%2F|%3D/gi, (escape) => decodeURIComponent(escape));
  if (dash === -1 || !/^[A-Za-z0-9+/]+=?$/.test(code)) return undefined;
  return { head: text.slice(0, dash), code: Buffer.from(code, 'base64') };
}

function computeCode(key: string, signed: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'latin1')).update(signed, 'latin1').digest();
}

function isSameCode(code: Buffer, expected: Buffer): boolean {
  return code.length === expected.length && timingSafeEqual(code, expected);
}

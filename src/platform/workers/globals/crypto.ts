/** The extensions of Workers to the standard `crypto`. */
import { timingSafeEqual } from 'node:crypto';
import { types } from 'node:util';
import { wrongType } from '#base';
import { DigestStream } from './digest-stream.ts';

function compareInConstantTime(first: unknown, second: unknown): boolean {
  const a = bytesOf(first, 1);
  const b = bytesOf(second, 2);
  if (a.length !== b.length) throw new TypeError('Input buffers must have the same byte length.');
  return timingSafeEqual(a, b);
}

function bytesOf(value: unknown, parameter: number): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (types.isAnyArrayBuffer(value)) return new Uint8Array(value);
  throw wrongType(
    { method: 'timingSafeEqual', face: 'SubtleCrypto' },
    parameter,
    'ArrayBuffer or ArrayBufferView',
  );
}

export function extendCrypto(): void {
  const property = (value: unknown): PropertyDescriptor => ({ value, writable: true, configurable: true });
  Object.defineProperty(crypto, 'DigestStream', property(DigestStream));
  Object.defineProperty(crypto.subtle, 'timingSafeEqual', property(compareInConstantTime));
}

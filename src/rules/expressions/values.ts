/**
 * Values at run time.
 *
 * | type | JavaScript |
 * |---|---|
 * | `Bytes` | a *binary string*: one character per byte, none above U+00FF. `length`, `includes`, `===` and `<` are byte semantics |
 * | `Int` | a number without a fraction. Beyond 2^53 it is the nearest one: order against every smaller number stays exact |
 * | `Bool` | a boolean |
 * | `Ip` | an {@link Ip}: family and four unsigned 32-bit words |
 * | `Array` | an array |
 * | `Map` | a `Map` from binary strings. `[*]` visits it in byte order of its keys |
 * | nil (absent) | `undefined` |
 */
import { Ip } from '#addresses';
import type { Type } from './types.ts';

export type Value = string | number | boolean | Ip | readonly Value[] | ReadonlyMap<string, Value>;

/** Sixty-four bits, two's complement, as two signed 32-bit halves. */
export interface Bits {
  readonly high: number;
  readonly low: number;
}

export function toBits(value: bigint): Bits {
  return { high: Number(BigInt.asIntN(32, value >> 32n)), low: Number(BigInt.asIntN(32, value)) };
}

/** Whether an `Int` and a mask share a set bit, the test of `&`. */
export function sharesBits(value: number, mask: Bits): boolean {
  return ((value | 0) & mask.low) !== 0 || ((Math.floor(value / 0x1_0000_0000) | 0) & mask.high) !== 0;
}

/** The zero value of a type: `""`, `0`, `false`, `0.0.0.0`, `[]`, `{}`. */
export function getZero(type: Type): Value {
  switch (type.kind) {
    case 'Bool':
      return false;
    case 'Int':
      return 0;
    case 'Ip':
      return unspecified;
    case 'Bytes':
      return '';
    case 'Array':
      return [];
    default:
      return new Map();
  }
}

const unspecified = new Ip(4, 0);

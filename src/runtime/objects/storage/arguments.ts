/** Arguments as workerd's interface definition treats them: coerced where it coerces, refused with its messages. */
import { type Callee, wrongType } from '#base';

/** An options object, or none. Members are read where they are needed; unknown ones do not matter. */
export function toOptions<T extends object>(
  value: unknown,
  callee: Callee,
  parameter: number,
  type: string,
): T {
  if (value === undefined || value === null) return noOptions as T;
  if (typeof value !== 'object' && typeof value !== 'function') throw wrongType(callee, parameter, type);
  return value as T;
}

const noOptions = Object.freeze({});

/** The conversion to a string that fails for a symbol, where `String` would describe it. */
export function toKey(value: unknown): string {
  return typeof value === 'string' ? value : `${value as string}`;
}

/** A number as an interface definition's `long`. */
export function toInt32(value: unknown): number {
  // Unlike `Number`, the unary plus refuses a bigint, as the interface definition does.
  const number = Math.trunc(+(value as number));
  if (!Number.isFinite(number)) return 0;
  if (number > 2_147_483_647 || number < -2_147_483_648) {
    throw new TypeError('Value out of range. Must be between -2147483648 and 2147483647 (inclusive).');
  }
  return number;
}

/** A method was detached from its object and called without it. */
export function illegalInvocation(): TypeError {
  return new TypeError(
    'Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
  );
}

/** Sets the class name in `String(instance)`, as every class of workerd does. */
export function tagAs(prototype: object, name: string): void {
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, writable: true, configurable: true });
}

/** Methods of an interface definition show up in a loop over the object; those of a class do not. */
export function makeEnumerable(prototype: object, names: readonly string[]): void {
  for (const name of names) Object.defineProperty(prototype, name, { enumerable: true });
}

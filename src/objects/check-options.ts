/** What callers without a type checker get wrong, said before anything is opened or made on disk. */
import type { RuntimeOptions } from './runtime.ts';

export function checkOptions(options: RuntimeOptions): void {
  if (!isObject(options)) throw wrong('options', 'an object such as { directory, classes }', options);
  const { directory, classes, clock, durability, limits, log } = options;
  if (typeof directory !== 'string' || directory === '') throw wrong('directory', 'a path', directory);
  if (!isObject(classes) && classes !== 'recorded')
    throw wrong('classes', 'an object such as { Counter: { class: Counter } }', classes);
  if (clock !== undefined && typeof clock?.now !== 'function') throw wrong('clock', 'a VirtualClock', clock);
  if (durability !== undefined && durability !== 'disk' && durability !== 'os')
    throw wrong('durability', "'disk' or 'os'", durability);
  if (limits !== undefined && !isObject(limits)) throw wrong('limits', 'an object', limits);
  if (log !== undefined && typeof log !== 'function') throw wrong('log', 'a function', log);
  for (const name of ['retentionMs', 'idleMs'] as const) {
    const value = options[name] ?? 0;
    if (typeof value !== 'number' || !(value >= 0))
      throw new RangeError(`${name} must be a number of milliseconds, zero or more: ${String(value)}`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function wrong(name: string, expected: string, given: unknown): TypeError {
  return new TypeError(`${name} must be ${expected}: ${isObject(given) ? 'an object' : String(given)}`);
}

import type { BinaryRange } from '../stores/key-values.ts';
import { toBinaryKey } from '../stores/binary-keys.ts';
import { toInt32, toKey } from './arguments.ts';

export interface ListOptions {
  readonly start?: string | undefined;
  readonly startAfter?: string | undefined;
  readonly end?: string | undefined;
  readonly prefix?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** The keys that list options name, or undefined if there can be none. */
export function compileRange(options: ListOptions): BinaryRange | undefined {
  if (options.start !== undefined && options.startAfter !== undefined) {
    throw new TypeError('list() cannot be called with both start and startAfter values.');
  }
  let start = options.start === undefined ? '' : binary(options.start);
  if (options.startAfter !== undefined) start = `${binary(options.startAfter)}\0`;
  let end = options.end === undefined ? undefined : binary(options.end);
  const limit = options.limit === undefined ? undefined : toInt32(options.limit);
  if (limit !== undefined && limit <= 0) throw new TypeError('List limit must be positive.');
  if (options.prefix !== undefined) {
    const prefix = binary(options.prefix);
    const prefixEnd = behindPrefix(prefix);
    if (start < prefix) start = prefix;
    if (prefixEnd !== undefined && (end === undefined || end > prefixEnd)) end = prefixEnd;
  }
  if (end !== undefined && end <= start) return undefined;
  return { start, end, reverse: Boolean(options.reverse), limit };
}

/** The first key after every key with this prefix; undefined if there is none. */
function behindPrefix(prefix: string): string | undefined {
  const kept = prefix.replace(/\u00ff+$/, '');
  if (kept === '') return undefined;
  return kept.slice(0, -1) + String.fromCharCode(kept.charCodeAt(kept.length - 1) + 1);
}

function binary(value: unknown): string {
  return toBinaryKey(toKey(value));
}

/** Header fields that a judge adds: validated like those of clients, because they may contain what clients sent. */
import type { FieldOperation } from '#firewall';
import type { HeaderField } from '#request';
import { hasControl } from './field-lines.ts';
import { findFieldName, type FieldRole } from './field-names.ts';

export interface AddedFields {
  /** Lower case. */
  readonly names: ReadonlySet<string>;
  /** The fields as lines of a head. */
  readonly text: string;
  /** The same, with names in lower case. */
  readonly list: readonly HeaderField[];
}

const settableRoles: ReadonlySet<FieldRole> = new Set(['plain', 'single', 'claim', 'forwarded']);

/** Throws a `TypeError` for an invalid field, or one that frames, routes or is set by the wire. */
export function checkAddedFields(fields: readonly HeaderField[]): AddedFields {
  const names = new Set<string>();
  let text = '';
  const list: HeaderField[] = [];
  for (const [name, value] of fields) {
    const known = findFieldName(name);
    if (known === undefined || !settableRoles.has(known.role)) {
      throw new TypeError(`a judge cannot set this field: ${name}`);
    }
    if (hasControl(value) || !isBinary(value)) {
      throw new TypeError(`a field is a binary string without control characters: ${name}`);
    }
    names.add(known.lower);
    text += `${name}: ${value}\r\n`;
    list.push([known.lower, value]);
  }
  return { names, text, list };
}

/** Size of all fields that rules write into one head, in bytes: as much again as clients may send. */
const operatedBytesMax = 64 * 1024;

/**
 * Applies the operations of rules, after the fields that were already added. Skips names that no rule may write and
 * values that a field cannot contain.
 */
export function operateOnFields(
  operations: readonly FieldOperation[],
  before: AddedFields | undefined,
): AddedFields {
  const names = new Set(before?.names);
  let fields = (before?.list ?? []).map(([lower, value]) => ({ name: lower, lower, value }));
  let bytes = 0;
  for (const { operation, name, value = '' } of operations) {
    const known = findFieldName(name);
    if (known === undefined || !settableRoles.has(known.role)) continue;
    const { lower, role } = known;
    // Some fields may occur only once.
    const replaces = operation !== 'add' || role === 'single';
    if (replaces) {
      names.add(lower);
      fields = fields.filter((field) => field.lower !== lower);
    }
    bytes += name.length + value.length;
    const isSent =
      operation !== 'remove' && !hasControl(value) && isBinary(value) && bytes <= operatedBytesMax;
    if (isSent) fields.push({ name, lower, value });
  }
  return {
    names,
    text: fields.map(({ name, value }) => `${name}: ${value}\r\n`).join(''),
    list: fields.map(({ lower, value }) => [lower, value]),
  };
}

function isBinary(value: string): boolean {
  return !/[^\0-\xff]/.test(value);
}

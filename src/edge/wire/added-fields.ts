/** Fields that a judge adds: checked like those of clients, because they may contain what clients sent. */
import type { HeaderField } from '#request';
import { hasControl } from './field-lines.ts';
import { findFieldName, type FieldRole } from './field-names.ts';

export interface AddedFields {
  /** Lower case. */
  readonly names: ReadonlySet<string>;
  /** The fields as lines of a head. */
  readonly text: string;
}

const settableRoles: ReadonlySet<FieldRole> = new Set(['plain', 'single', 'claim']);

/** Throws a `TypeError` for an invalid field, or one that frames, routes or is set by the wire. */
export function checkAddedFields(fields: readonly HeaderField[]): AddedFields {
  const names = new Set<string>();
  let text = '';
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
  }
  return { names, text };
}

function isBinary(value: string): boolean {
  return !/[^\0-\xff]/.test(value);
}

/** Describes a field or a function for an editor. */
import type { Field } from '../field.ts';
import type { FunctionDefinition, Parameter } from '../ast.ts';
import { formatType } from '../types.ts';

export function describeField(field: Field): string {
  const notes = [field.summary];
  if (field.replacedBy !== undefined) notes.push(`Deprecated: write ${field.replacedBy}.`);
  const filler = fillers[field.filledBy];
  if (filler !== undefined) notes.push(filler);
  return notes.join(' ');
}

const fillers: Partial<Record<Field['filledBy'], string>> = {
  geo: 'Needs a geolocation database.',
  tls: 'Needs TLS to end here.',
  'client hello': 'Needs access to the raw client hello.',
  global: 'Only a global network can fill it: here it is always its default.',
};

/** Returns `substring(value: Bytes, start: Int, [end: Int]) → Bytes`, without the result if it depends on the arguments. */
export function formatSignature({ name, parameters }: FunctionDefinition): string {
  return `${name}(${parameters.map(formatParameter).join(', ')})`;
}

function formatParameter({ name, kind, types, isOptional, isRepeated }: Parameter): string {
  const names = types.map((type) => (typeof type === 'string' ? type : formatType(type))).join(' or ');
  const text = `${name}: ${kind === 'Literal' ? 'literal ' : ''}${names}${isRepeated === true ? '…' : ''}`;
  return isOptional === true ? `[${text}]` : text;
}

export const quantifiers = [
  { name: 'any', summary: 'Whether a condition over [*] holds for at least one element; not for none.' },
  {
    name: 'all',
    summary: 'Whether a condition over [*] holds for every element; it does if there are none.',
  },
] as const;

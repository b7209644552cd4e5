/**
 * The information for the name under the pointer. The name is found in the text, so this works while an expression is
 * still invalid.
 */
import type { Span } from '../ast.ts';
import { scheme as fullScheme } from '../full-scheme.ts';
import type { Scheme } from '../scheme.ts';
import { formatType } from '../types.ts';
import { describeField, quantifiers, formatSignature } from './describe.ts';

export interface Hover {
  readonly span: Span;
  /** The name with its type, or the signature. */
  readonly title: string;
  readonly summary: string;
}

/** `offset` counts UTF-16 units. */
export function hover(source: string, offset: number, scheme: Scheme = fullScheme): Hover | undefined {
  for (const match of source.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*/gs)) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (offset < span.start || offset > span.end) continue;
    const described = describe(match[0], scheme);
    return described === undefined ? undefined : { span, ...described };
  }
  return undefined;
}

function describe(name: string, scheme: Scheme): { title: string; summary: string } | undefined {
  const field = scheme.fields.get(name);
  if (field !== undefined && field.isHidden !== true) {
    return { title: `${name}: ${formatType(field.type)}`, summary: describeField(field) };
  }
  const definition = scheme.functions.get(name);
  if (definition !== undefined) return { title: formatSignature(definition), summary: definition.summary };
  const quantifier = quantifiers.find((candidate) => candidate.name === name);
  return quantifier === undefined
    ? undefined
    : { title: `${name}(Array<Bool>)`, summary: quantifier.summary };
}

/**
 * What could be typed at a place. The parser itself is asked: it reads the text before the cursor, and where it stops
 * for want of more, it knows what it wants.
 */
import type { Span } from '../ast.ts';
import { scheme as fullScheme } from '../full-scheme.ts';
import { nestingDepthLargest } from '../limits.ts';
import { Findings } from '../parse/findings.ts';
import { Parser } from '../parse/parser.ts';
import { Reader, Refusal } from '../parse/reader.ts';
import { operatorsOf } from '../parse/predicates.ts';
import type { Scheme } from '../scheme.ts';
import { typeName } from '../types.ts';
import { describeField, quantifiers, signatureOf } from './describe.ts';

export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'function' | 'list' | 'operator';
  /** The type of a field, the signature of a function. */
  readonly detail: string;
  readonly summary: string;
}

export interface Completions {
  /** What an accepted item replaces. */
  readonly span: Span;
  readonly items: readonly Completion[];
}

export interface CompleteOptions {
  readonly scheme?: Scheme;
  /** The lists that exist, without `$`. */
  readonly lists?: Iterable<string>;
}

/** The items that start with what stands before the cursor, the best first. `offset` counts UTF-16 units. */
export function complete(source: string, offset: number, options: CompleteOptions = {}): Completions {
  const { scheme = fullScheme, lists = [] } = options;
  const before = source.slice(0, offset);
  const word = /(?:\$[a-z0-9_.]*|[A-Za-z0-9_.]+)$/.exec(before)?.[0] ?? '';
  const start = offset - word.length;
  const items = wanted(source.slice(0, start), { scheme, lists });
  const lowerWord = word.toLowerCase();
  return {
    span: { start, end: offset },
    items: items.filter(({ label }) => label.startsWith(lowerWord)),
  };
}

function wanted(
  text: string,
  { scheme, lists }: { scheme: Scheme; lists: Iterable<string> },
): readonly Completion[] {
  const settings = { scheme, nestingDepthMax: nestingDepthLargest, lists: undefined };
  const findings = new Findings();
  try {
    new Parser(new Reader(text), settings, findings).readFilter();
    return operators(['and', 'or', 'xor']);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  switch (findings.wanted?.kind) {
    case 'operand':
      return [...names(scheme), ...operators(['not'])];
    case 'operator':
      return operators(operatorsOf(findings.wanted.type));
    case 'set':
      return Array.from(lists, (name) => ({ label: `$${name}`, kind: 'list', detail: '', summary: '' }));
    default:
      return [];
  }
}

function operators(spellings: readonly string[]): Completion[] {
  return spellings.map((label) => ({ label, kind: 'operator', detail: '', summary: '' }));
}

/** Deprecated names are understood, but not offered. */
function names(scheme: Scheme): Completion[] {
  const fields = [...scheme.fields.values()].filter(
    (field) => field.isHidden !== true && field.replacedBy === undefined,
  );
  return [
    ...fields.map((field): Completion => ({
      label: field.name,
      kind: 'field',
      detail: typeName(field.type),
      summary: describeField(field),
    })),
    ...quantifiers.map(({ name, summary }): Completion => ({
      label: name,
      kind: 'function',
      detail: `${name}(Array<Bool>)`,
      summary,
    })),
    ...Array.from(scheme.functions.values(), (definition): Completion => ({
      label: definition.name,
      kind: 'function',
      detail: signatureOf(definition),
      summary: definition.summary,
    })),
  ];
}

/**
 * Completes the text at the cursor. The parser itself decides: it parses the text before the cursor, and reports what
 * it expects where the text ends.
 */
import type { Span } from '../ast.ts';
import { scheme as fullScheme } from '../full-scheme.ts';
import { nestingDepthLargest } from '../limits.ts';
import { Findings } from '../parse/findings.ts';
import { Parser } from '../parse/parser.ts';
import { SourceReader, ParseRefusal } from '../parse/reader.ts';
import { listOperators } from '../parse/predicates.ts';
import type { Scheme } from '../scheme.ts';
import { formatType } from '../types.ts';
import { describeField, quantifiers, formatSignature } from './describe.ts';

export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'function' | 'list' | 'operator';
  /** The type of a field, the signature of a function. */
  readonly detail: string;
  readonly summary: string;
}

export interface Completions {
  /** The text that an accepted item replaces. */
  readonly span: Span;
  readonly items: readonly Completion[];
}

export interface CompleteOptions {
  readonly scheme?: Scheme;
  /** The existing lists, without `$`. */
  readonly lists?: Iterable<string>;
}

/** The items that start with the text before the cursor, the best first. `offset` counts UTF-16 units. */
export function complete(source: string, offset: number, options: CompleteOptions = {}): Completions {
  const { scheme = fullScheme, lists = [] } = options;
  const before = source.slice(0, offset);
  const word = /(?:\$[a-z0-9_.]*|[A-Za-z0-9_.]+)$/.exec(before)?.[0] ?? '';
  const start = offset - word.length;
  const items = listWanted(source.slice(0, start), { scheme, lists });
  const lowerWord = word.toLowerCase();
  return {
    span: { start, end: offset },
    items: items.filter(({ label }) => label.startsWith(lowerWord)),
  };
}

function listWanted(
  text: string,
  { scheme, lists }: { scheme: Scheme; lists: Iterable<string> },
): readonly Completion[] {
  const settings = { scheme, nestingDepthMax: nestingDepthLargest, lists: undefined };
  const findings = new Findings();
  try {
    new Parser(new SourceReader(text), settings, findings).readFilter();
    return toOperatorItems(['and', 'or', 'xor']);
  } catch (error) {
    if (!(error instanceof ParseRefusal)) throw error;
  }
  switch (findings.wanted?.kind) {
    case 'operand':
      return [...listNames(scheme), ...toOperatorItems(['not'])];
    case 'operator':
      return toOperatorItems(listOperators(findings.wanted.type));
    case 'set':
      return Array.from(lists, (name) => ({ label: `$${name}`, kind: 'list', detail: '', summary: '' }));
    default:
      return [];
  }
}

function toOperatorItems(spellings: readonly string[]): Completion[] {
  return spellings.map((label) => ({ label, kind: 'operator', detail: '', summary: '' }));
}

/** Deprecated names are accepted, but not offered. */
function listNames(scheme: Scheme): Completion[] {
  const fields = [...scheme.fields.values()].filter(
    (field) => field.isHidden !== true && field.replacedBy === undefined,
  );
  return [
    ...fields.map((field): Completion => ({
      label: field.name,
      kind: 'field',
      detail: formatType(field.type),
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
      detail: formatSignature(definition),
      summary: definition.summary,
    })),
  ];
}

/** Parses the operator of a comparison and its right side: always a literal, of the type of the operand. */
import { didYouMean } from '#text';
import type {
  IntRange,
  IpRange,
  LiteralSet,
  OrderOperator,
  RegexLiteral,
  Predicate,
  WildcardLiteral,
} from '../ast.ts';
import { formatRange } from '../write/literals.ts';
import { type Type, formatType } from '../types.ts';
import { parseWildcard } from '../wildcard.ts';
import { readIp, readIpItem } from './addresses.ts';
import type { Findings } from './findings.ts';
import { readInt, readIntRange } from './numbers.ts';
import { type SourceReader, ParseRefusal } from './reader.ts';
import { quoteText } from './rust-text.ts';
import type { Settings } from './settings.ts';
import { readBytes, readOpening, readQuotedRegex, readRaw, readText } from './strings.ts';

type ComparisonOperator =
  | OrderOperator
  | 'in'
  | 'bitwise_and'
  | 'contains'
  | 'matches'
  | 'wildcard'
  | 'strict wildcard';

/** In the order in which they are tried: a spelling comes before its own prefixes. */
const spellings: readonly (readonly [spelling: string, operator: ComparisonOperator])[] = [
  ['in', 'in'],
  ['eq', 'eq'],
  ['==', 'eq'],
  ['ne', 'ne'],
  ['!=', 'ne'],
  ['ge', 'ge'],
  ['>=', 'ge'],
  ['le', 'le'],
  ['<=', 'le'],
  ['gt', 'gt'],
  ['>', 'gt'],
  ['lt', 'lt'],
  ['<', 'lt'],
  ['&', 'bitwise_and'],
  ['bitwise_and', 'bitwise_and'],
  ['contains', 'contains'],
  ['~', 'matches'],
  ['matches', 'matches'],
  ['wildcard', 'wildcard'],
  ['strict wildcard', 'strict wildcard'],
];

interface OperandContext {
  /** The type of the operand. */
  readonly type: Type;
  readonly settings: Settings;
  readonly findings: Findings;
}

const orders = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const;

/** The operators that a value of this type accepts, as words. */
export function listOperators(type: Type): readonly ComparisonOperator[] {
  switch (type.kind) {
    case 'Int':
      return [...orders, 'in', 'bitwise_and'];
    case 'Ip':
      return [...orders, 'in'];
    case 'Bytes':
      return [...orders, 'in', 'contains', 'matches', 'wildcard', 'strict wildcard'];
    default:
      return [];
  }
}

function findOperator(reader: SourceReader): readonly [string, ComparisonOperator] | undefined {
  return spellings.find(([spelling]) => reader.startsWith(spelling));
}

export function startsOperator(reader: SourceReader): boolean {
  return findOperator(reader) !== undefined;
}

export function readPredicate(reader: SourceReader, context: OperandContext): Predicate {
  const start = reader.position;
  const found = findOperator(reader);
  context.findings.noteWanted(reader, { kind: 'operator', type: context.type });
  if (found === undefined) throw reader.refuse('expected_operator', 'expected ComparisonOp');
  const [spelling, operator] = found;
  reader.position += spelling.length;
  const operatorSpan = reader.getSpanFrom(start);
  reader.skipSpace();
  if (!listOperators(context.type).includes(operator)) {
    const message = `cannot perform this operation on type ${formatType(context.type)}`;
    throw reader.refuse('operator_type', message, operatorSpan);
  }
  return readRightSide(reader, operator, context);
}

function readRightSide(
  reader: SourceReader,
  operator: ComparisonOperator,
  context: OperandContext,
): Predicate {
  switch (operator) {
    case 'in':
      return readMembership(reader, context);
    case 'bitwise_and':
      return { operator, value: readInt(reader) };
    case 'contains':
      return { operator, value: readBytes(reader) };
    case 'matches':
      return { operator, value: readRegex(reader, context.findings) };
    case 'wildcard':
    case 'strict wildcard':
      return { operator, value: readWildcard(reader, operator === 'strict wildcard') };
    default:
      return { operator, value: literalReaders[context.type.kind as 'Int' | 'Ip' | 'Bytes'](reader) };
  }
}

const literalReaders = { Int: readInt, Ip: readIp, Bytes: readBytes };

/** Parses the text after `in`: a set or the name of a list. */
function readMembership(reader: SourceReader, context: OperandContext): Predicate {
  if (!reader.startsWith('$')) return { operator: 'in', set: readSet(reader, context) };
  const start = reader.position;
  const list = readListName(reader);
  const listSpan = reader.getSpanFrom(start);
  const { lists } = context.settings;
  if (lists !== undefined && !lists.has(list)) {
    const hint = didYouMean(list, lists).replace(/^: /, '');
    throw new ParseRefusal('unknown_list', 'unknown list', listSpan, hint === '' ? undefined : hint);
  }
  return { operator: 'in list', list, listSpan };
}

function readListName(reader: SourceReader): string {
  reader.expect('$');
  const start = reader.position;
  const name = reader.takeRun(/[a-z0-9_.]+/y);
  if (name !== '' && !name.startsWith('.') && !name.endsWith('.')) return name;
  const wrong = name === '' ? reader.takeCharacters(1) : name;
  throw reader.refuse('bad_list_name', `invalid list name ${quoteText(wrong)}`, reader.getRestFrom(start));
}

function readSet(reader: SourceReader, { type, findings }: OperandContext): LiteralSet {
  const start = reader.position;
  findings.noteWanted(reader, { kind: 'set' });
  reader.expect('{');
  switch (type.kind) {
    case 'Int': {
      const items: IntRange[] = readItems(reader, readIntRange);
      return { kind: 'Int', items, span: reader.getSpanFrom(start) };
    }
    case 'Ip': {
      const items: IpRange[] = readItems(reader, (from) => {
        const { range, isShort } = readIpItem(from);
        if (isShort) findings.noteShortNetwork(range.span, formatRange(range));
        return range;
      });
      return { kind: 'Ip', items, span: reader.getSpanFrom(start) };
    }
    default:
      return { kind: 'Bytes', items: readItems(reader, readBytes), span: reader.getSpanFrom(start) };
  }
}

/** Reads items up to the closing brace; white space between them is optional. */
function readItems<T>(reader: SourceReader, readItem: (reader: SourceReader) => T): T[] {
  const items: T[] = [];
  for (;;) {
    reader.skipSpace();
    if (reader.accept('}')) return items;
    items.push(readItem(reader));
  }
}

function readRegex(reader: SourceReader, findings: Findings): RegexLiteral {
  const start = reader.position;
  const form = readOpening(reader);
  const source = form === 'quoted' ? readQuotedRegex(reader) : readRaw(reader);
  const span = reader.getSpanFrom(start);
  findings.noteRegex(span);
  const parsed = findings.parsePattern(source);
  if (parsed.ok) return { kind: 'Regex', source, pattern: parsed.pattern, form, span };
  // wirefilter points between the quotes, but after a raw literal.
  const where =
    form === 'quoted' ? { start: span.start + 1, end: span.end - 1 } : reader.getRestFrom(span.end);
  throw reader.refuse('bad_regex', parsed.error.message, where);
}

function readWildcard(reader: SourceReader, isStrict: boolean): WildcardLiteral {
  const { value: source, form, span } = readText(reader);
  const parsed = parseWildcard(source, isStrict);
  if (!parsed.ok) throw reader.refuse('bad_wildcard', parsed.message, reader.getRestFrom(span.start));
  return { kind: 'Wildcard', source, wildcard: parsed.wildcard, form, span };
}

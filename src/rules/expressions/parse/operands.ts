/** Fields, calls, indexes, and the arguments of a call. */
import type {
  Argument,
  ArgumentExpression,
  Call,
  Comparison,
  Expression,
  FieldRoot,
  Index,
  Literal,
  Operand,
  Truth,
  FunctionDefinition,
} from '../ast.ts';
import { arrayIndexMax } from '../limits.ts';
import { arrayOf, type Type, formatType } from '../types.ts';
import { textOf } from '#text';
import { readIp } from './addresses.ts';
import { countArguments, getArgumentType, checkArgument } from './arguments.ts';
import type { Findings } from './findings.ts';
import { findNameHint } from './hints.ts';
import { readInt } from './numbers.ts';
import { type SourceReader, ParseRefusal } from './reader.ts';
import { quoteText } from './rust-text.ts';
import type { Settings } from './settings.ts';
import { readBytes, readText } from './strings.ts';
import { startsOperator } from './predicates.ts';

const segmentPattern = /[A-Za-z0-9_]+/y;

/** The parser of conditions, because arguments of calls may be conditions. */
interface ConditionReader {
  startsCondition(): boolean;
  readExpression(): Expression;
  readComparison(operand: Operand): Truth | Comparison;
  readNested<T>(read: () => T): T;
  attempt<T>(read: () => T): { readonly value: T } | { readonly refusal: ParseRefusal };
}

export class OperandParser {
  readonly #reader: SourceReader;
  readonly #settings: Settings;
  readonly #findings: Findings;
  /** Parses conditions in arguments. */
  readonly #conditions: ConditionReader;

  constructor(reader: SourceReader, settings: Settings, findings: Findings, conditions: ConditionReader) {
    this.#reader = reader;
    this.#settings = settings;
    this.#findings = findings;
    this.#conditions = conditions;
  }

  readOperand(): Operand {
    const start = this.#reader.position;
    const root = this.#readRoot();
    const path: Index[] = [];
    let { type } = root;
    while (this.#reader.startsWith('[')) {
      const index = this.#readIndex();
      type = this.#getElementType(type, index);
      path.push(index);
    }
    const eachCount = path.filter(({ kind }) => kind === 'each').length;
    return { kind: 'operand', root, path, eachCount, type, span: this.#reader.getSpanFrom(start) };
  }

  #readRoot(): FieldRoot | Call {
    const start = this.#reader.position;
    const name = this.#readName();
    const span = this.#reader.getSpanFrom(start);
    const { fields, functions } = this.#settings.scheme;
    const field = fields.get(name);
    if (field !== undefined && field.isHidden !== true) {
      this.#findings.noteField(field, span);
      return { kind: 'field', field, type: field.type, span };
    }
    const definition = functions.get(name);
    if (definition === undefined) throw this.#reader.refuse('unknown_identifier', 'unknown identifier', span);
    this.#reader.skipSpace();
    return this.#conditions.readNested(() => this.#readCall(definition, start));
  }

  #readName(): string {
    const start = this.#reader.position;
    do {
      if (this.#reader.takeRun(segmentPattern) === '') {
        this.#findings.noteWanted(this.#reader, { kind: 'operand' });
        throw this.#reader.refuse('expected_identifier', 'expected identifier character');
      }
    } while (this.#reader.accept('.'));
    return this.#reader.source.slice(start, this.#reader.position);
  }

  #readIndex(): Index {
    const reader = this.#reader;
    const start = reader.position;
    reader.expect('[');
    reader.skipSpace();
    const content = this.#readIndexContent();
    reader.skipSpace();
    reader.expect(']');
    return { ...content, span: reader.getSpanFrom(start) };
  }

  #readIndexContent(): { kind: 'each' } | { kind: 'key'; key: string } | { kind: 'index'; index: number } {
    const reader = this.#reader;
    const start = reader.position;
    if (reader.accept('*')) return { kind: 'each' };
    if (reader.startsWith('"')) {
      const { value } = readText(reader);
      if (textOf(value) === undefined) throw this.#refuseIndex('expected utf8 string', start);
      return { kind: 'key', key: value };
    }
    const number = this.#conditions.attempt(() => readInt(reader));
    if ('refusal' in number)
      throw this.#refuseIndex('expected quoted utf8 string or positive integer', start);
    const index = number.value.value;
    if (index < 0 || index > arrayIndexMax)
      throw this.#refuseIndex('expected positive integer as index', start);
    return { kind: 'index', index };
  }

  #refuseIndex(expected: string, start: number): ParseRefusal {
    return this.#reader.refuse(
      'bad_index',
      `expected literal "${expected}"`,
      this.#reader.getRestFrom(start),
    );
  }

  #getElementType(type: Type, index: Index): Type {
    const kinds = index.kind === 'index' ? ['Array'] : index.kind === 'key' ? ['Map'] : ['Array', 'Map'];
    if ('of' in type && kinds.includes(type.kind)) return type.of;
    const message = `cannot access index ${formatIndexName(index)} for type ${formatType(type)}`;
    throw this.#reader.refuse('bad_index', message, index.span);
  }

  /** Reads from the opening parenthesis on. */
  #readCall(definition: FunctionDefinition, start: number): Call {
    const reader = this.#reader;
    this.#findings.openCall(definition, reader.getSpanFrom(start));
    reader.expect('(');
    const args = this.#readArguments(definition);
    reader.expect(')');
    this.#findings.closeCall();
    const isMapped = args[0]?.kind === 'operand' && args[0].eachCount > 0;
    const result = definition.resultType(args.map(getArgumentType));
    const { fields } = this.#settings.scheme;
    return {
      kind: 'call',
      function: definition,
      args,
      alsoReads: (definition.alsoReads ?? []).map((key) => fields.get(key)!),
      isMapped,
      type: isMapped ? arrayOf(result) : result,
      span: reader.getSpanFrom(start),
    };
  }

  #readArguments(definition: FunctionDefinition): Argument[] {
    const reader = this.#reader;
    const { min, max } = countArguments(definition);
    const args: Argument[] = [];
    reader.skipSpace();
    while (!reader.isAtEnd && !reader.startsWith(')')) {
      if (args.length > 0) reader.expect(',');
      reader.skipSpace();
      const start = reader.position;
      const argument = this.readArgument();
      if (args.length > 0 && argument.kind === 'operand' && argument.eachCount > 0) {
        throw reader.refuse('each_access', 'invalid use of map each access operator', argument.span);
      }
      if (args.length >= max) throw this.#refuseCount(start);
      checkArgument(reader, definition, { before: args, argument });
      if (definition.regexArgument === args.length) this.#findings.noteRegex(argument.span);
      args.push(argument);
      reader.skipSpace();
    }
    if (args.length === 0) this.#findings.noteWanted(reader, { kind: 'operand' });
    if (args.length < min) throw this.#refuseCount(reader.position);
    return args;
  }

  #refuseCount(start: number): ParseRefusal {
    return this.#reader.refuse(
      'argument_count',
      'invalid number of arguments',
      this.#reader.getRestFrom(start),
    );
  }

  /**
   * A string, a condition, an operand with at most one comparison, or another literal. If the first characters could be a
   * name or a number, both are tried.
   */
  readArgument(): Argument {
    const reader = this.#reader;
    if (/^(?:"|r"|r#)/.test(reader.source.slice(reader.position, reader.position + 2)))
      return readBytes(reader);
    const start = reader.position;
    if (this.#conditions.startsCondition()) return this.#toArgument(this.#conditions.readExpression(), start);
    if (this.#startsName()) return this.#readOperandArgument(this.readOperand());
    const operand = this.#conditions.attempt(() => this.readOperand());
    return 'value' in operand ? this.#readOperandArgument(operand.value) : this.#readLiteral(operand.refusal);
  }

  /** Whether one of the first three characters can be part of a name but not of a number. */
  #startsName(): boolean {
    const start = this.#reader.source.slice(this.#reader.position, this.#reader.position + 3);
    return /^[A-Za-z0-9_]{0,2}[G-Zg-z_]/.test(start);
  }

  #readOperandArgument(operand: Operand): Argument {
    const end = this.#reader.position;
    this.#reader.skipSpace();
    this.#findings.noteWanted(this.#reader, { kind: 'operator', type: operand.type });
    const isComparison = startsOperator(this.#reader);
    this.#reader.position = end;
    if (!isComparison) return operand;
    return this.#toArgument(this.#conditions.readComparison(operand), operand.span.start);
  }

  #toArgument(expression: Expression, start: number): ArgumentExpression {
    return { kind: 'expression', expression, type: expression.type, span: this.#reader.getSpanFrom(start) };
  }

  /** An addition to wirefilter's message: why the text is not a name either. */
  #findNameHint({ code, message, span }: ParseRefusal): string | undefined {
    if (!/^[A-Za-z_]/.test(this.#reader.peek())) return undefined;
    const name = this.#reader.source.slice(span.start, span.end);
    const hint = code === 'unknown_identifier' ? findNameHint(name, this.#settings) : undefined;
    return `read as a name: ${message}${hint === undefined ? '' : `: ${hint}`}`;
  }

  #readLiteral(nameRefusal: ParseRefusal): Literal {
    for (const read of [readIp, readInt, readBytes]) {
      const literal = this.#conditions.attempt<Literal>(() => read(this.#reader));
      if ('value' in literal) return literal.value;
    }
    const rest = this.#reader.getRestFrom(this.#reader.position);
    throw new ParseRefusal('unrecognised_input', 'unrecognised input', rest, this.#findNameHint(nameRefusal));
  }
}

function formatIndexName(index: Index): string {
  switch (index.kind) {
    case 'index':
      return `ArrayIndex(${index.index})`;
    case 'key':
      return `MapKey(${quoteText(textOf(index.key)!)})`;
    default:
      return 'MapEach';
  }
}

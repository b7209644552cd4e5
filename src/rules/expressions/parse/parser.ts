/**
 * Parses text into a checked tree, in one pass from left to right. Types are checked where operands are combined, so
 * the first problem in the text is the one reported, with the span and the wording of wirefilter. Precedence is `not`,
 * `and`, `xor`, `or`.
 */
import type { Combination, Comparison, Expression, Operand, Quantifier, Span, Truth } from '../ast.ts';
import { boolArrayType, boolType, type Type, formatType } from '../types.ts';
import type { Findings } from './findings.ts';
import { OperandParser } from './operands.ts';
import { type SourceReader, ParseRefusal } from './reader.ts';
import { readPredicate } from './predicates.ts';
import type { Settings } from './settings.ts';

/** In increasing precedence: the items of each level are expressions of the next. */
const levels = [
  { kind: 'or', spellings: ['or', '||'] },
  { kind: 'xor', spellings: ['xor', '^^'] },
  { kind: 'and', spellings: ['and', '&&'] },
] as const;

export class Parser {
  readonly #reader: SourceReader;
  readonly #settings: Settings;
  readonly #findings: Findings;
  readonly #operands: OperandParser;
  #depth = 0;

  constructor(reader: SourceReader, settings: Settings, findings: Findings) {
    this.#reader = reader;
    this.#settings = settings;
    this.#findings = findings;
    this.#operands = new OperandParser(reader, settings, findings, this);
  }

  readFilter(): Expression {
    const root = this.readExpression();
    if (root.type !== boolType) {
      throw this.#reader.refuse('type_mismatch', formatMismatch(boolType, root.type));
    }
    this.#expectEnd();
    return root;
  }

  readValue(): Operand | Quantifier {
    const start = this.#reader.position;
    const root = this.#startsQuantifier() ? this.#readQuantifier() : this.#operands.readOperand();
    if (root.kind === 'operand' && root.eachCount > 0) {
      const message = `expected value of type ${formatType(root.type)}, but got Array<${formatType(root.type)}>`;
      throw this.#reader.refuse('type_mismatch', message, this.#reader.getRestFrom(start));
    }
    this.#expectEnd();
    return root;
  }

  readOperandOnly(): Operand {
    const operand = this.#operands.readOperand();
    this.#expectEnd();
    return operand;
  }

  #expectEnd(): void {
    if (!this.#reader.isAtEnd) throw this.#reader.refuse('unrecognised_input', 'unrecognised input');
  }

  readExpression(level = 0): Expression {
    const combining = levels[level];
    if (combining === undefined) return this.#readUnary();
    const start = this.#reader.position;
    const items = [this.readExpression(level + 1)];
    while (this.#acceptCombining(combining.spellings)) {
      const item = this.readExpression(level + 1);
      this.#checkCombination(items[0]!.type, item.type);
      items.push(item);
    }
    const [first] = items;
    if (items.length === 1) return first!;
    return {
      kind: combining.kind,
      items,
      type: first!.type,
      span: this.#reader.getSpanFrom(start),
    } satisfies Combination;
  }

  /** Skips white space and an operator, or nothing. */
  #acceptCombining(spellings: readonly string[]): boolean {
    const start = this.#reader.position;
    this.#reader.skipSpace();
    if (spellings.some((spelling) => this.#reader.accept(spelling))) {
      this.#reader.skipSpace();
      return true;
    }
    this.#reader.position = start;
    return false;
  }

  #checkCombination(left: Type, right: Type): void {
    if (left === right) return;
    // wirefilter has already consumed the next operator when it compares the types.
    levels.some(({ spellings }) => this.#acceptCombining(spellings));
    throw this.#reader.refuse('type_mismatch', formatMismatch(left, right));
  }

  #readUnary(): Expression {
    const reader = this.#reader;
    const start = reader.position;
    if (reader.startsWith('(')) {
      return this.readNested(() => {
        reader.expect('(');
        reader.skipSpace();
        const inner = this.readExpression();
        reader.skipSpace();
        reader.expect(')');
        return inner;
      });
    }
    if (this.startsNot()) {
      return this.readNested(() => {
        if (!reader.accept('not')) reader.expect('!');
        reader.skipSpace();
        const item = this.#readUnary();
        return { kind: 'not', item, type: item.type, span: reader.getSpanFrom(start) };
      });
    }
    if (this.#startsQuantifier()) return this.#readQuantifier();
    return this.readComparison(this.#operands.readOperand());
  }

  startsNot(): boolean {
    return this.#reader.startsWith('not') || this.#reader.startsWith('!');
  }

  /** Whether only a condition can follow here. */
  startsCondition(): boolean {
    return this.#reader.startsWith('(') || this.startsNot() || this.#startsQuantifier();
  }

  #startsQuantifier(): boolean {
    if (!this.#reader.startsWith('any') && !this.#reader.startsWith('all')) return false;
    const start = this.#reader.position;
    this.#reader.position += 'any'.length;
    this.#reader.skipSpace();
    const isCall = this.#reader.startsWith('(');
    this.#reader.position = start;
    return isCall;
  }

  #readQuantifier(): Quantifier {
    const reader = this.#reader;
    const start = reader.position;
    const kind = reader.accept('any') ? 'any' : 'all';
    reader.position = start + kind.length;
    reader.skipSpace();
    return this.readNested(() => {
      reader.expect('(');
      reader.skipSpace();
      const item = this.#readQuantified();
      reader.skipSpace();
      reader.expect(')');
      return { kind, item, type: boolType, span: reader.getSpanFrom(start) };
    });
  }

  #readQuantified(): Operand | Expression {
    const argument = this.#operands.readArgument();
    const item = argument.kind === 'expression' ? argument.expression : argument;
    const isOperand = item.kind === 'operand';
    if (isOperand && item.type === boolArrayType && item.eachCount > 0) {
      throw this.#refuseQuantified(`Array<${formatType(item.type)}>`, argument.span);
    }
    if (item.kind === 'Int' || item.kind === 'Ip' || item.kind === 'Bytes') {
      throw this.#refuseQuantified(item.kind, argument.span);
    }
    if (item.type !== boolArrayType) throw this.#refuseQuantified(formatType(item.type), argument.span);
    return item;
  }

  #refuseQuantified(actual: string, span: Span): ParseRefusal {
    const message = `expected value of type ${formatType(boolArrayType)}, but got ${actual}`;
    return this.#reader.refuse('type_mismatch', message, span);
  }

  /** Reads the rest after an operand: nothing if it is a Bool, otherwise an operator and its right side. */
  readComparison(operand: Operand): Truth | Comparison {
    const { start } = operand.span;
    const isList = operand.eachCount > 0;
    if (operand.type === boolArrayType && isList) {
      const message = `cannot perform this operation on type Array<${formatType(boolArrayType)}>`;
      throw this.#reader.refuse('operator_type', message, this.#reader.getSpanFrom(this.#reader.position));
    }
    if (operand.type === boolType || operand.type === boolArrayType) {
      const type = isList ? boolArrayType : operand.type;
      return { kind: 'truth', operand, type, span: operand.span };
    }
    this.#reader.skipSpace();
    const predicate = readPredicate(this.#reader, {
      type: operand.type,
      settings: this.#settings,
      findings: this.#findings,
    });
    const type = isList ? boolArrayType : boolType;
    return { kind: 'comparison', operand, predicate, type, span: this.#reader.getSpanFrom(start) };
  }

  /** Parses one level deeper; the error points at what would open that level. */
  readNested<T>(read: () => T): T {
    const limit = this.#settings.nestingDepthMax;
    if (this.#depth >= limit) {
      throw this.#reader.refuse('nesting_limit', `maximum nesting depth exceeded (limit: ${limit})`);
    }
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }

  /** Parses something optional: after a refusal the reader is back at its position. */
  attempt<T>(read: () => T): { readonly value: T } | { readonly refusal: ParseRefusal } {
    const start = this.#reader.position;
    const depth = this.#depth;
    try {
      return { value: read() };
    } catch (error) {
      if (!(error instanceof ParseRefusal)) throw error;
      this.#reader.position = start;
      this.#depth = depth;
      return { refusal: error };
    }
  }
}

function formatMismatch(expected: Type, actual: Type): string {
  return `expected value of type ${formatType(expected)}, but got ${formatType(actual)}`;
}

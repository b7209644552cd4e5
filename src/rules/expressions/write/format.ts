/**
 * Writes an expression in its canonical spelling: operators as words, single spaces, numbers in decimal, addresses in their
 * shortest form. Combinations of different operators are in parentheses, so that readers need not know their precedence.
 * Parsing the text again gives the same tree.
 */
import type {
  Argument,
  Expression,
  Filter,
  Index,
  LiteralSet,
  Operand,
  Predicate,
  ValueExpression,
} from '../ast.ts';
import { nestingDepthMax } from '../limits.ts';
import {
  formatBytes,
  formatIntRange,
  formatLiteral,
  formatRange,
  formatRegex,
  formatWildcard,
  quoteBytes,
} from './literals.ts';

export interface FormatOptions {
  /** Longer combinations are broken into lines; never by default. */
  readonly widthMax?: number;
}

export function format(tree: Filter | ValueExpression, { widthMax = Infinity }: FormatOptions = {}): string {
  const clear = new Printer({ widthMax, isMinimal: false });
  const text = clear.print(tree.root);
  // Parentheses for readability must not make an expression too deep to be parsed.
  return clear.depthMax <= nestingDepthMax
    ? text
    : new Printer({ widthMax, isMinimal: true }).print(tree.root);
}

const tightness = { or: 0, xor: 1, and: 2 } as const;
const indent = '  ';

class Printer {
  readonly #widthMax: number;
  readonly #isMinimal: boolean;
  #depth = 0;
  depthMax = 0;

  constructor({ widthMax, isMinimal }: { widthMax: number; isMinimal: boolean }) {
    this.#widthMax = widthMax;
    this.#isMinimal = isMinimal;
  }

  print(root: ValueExpression['root'] | Expression): string {
    if (root.kind === 'operand') return this.#printOperand(root);
    return this.#printExpression(root.kind === 'expression' ? root.expression : root);
  }

  #printExpression(expression: Expression): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor':
        return this.#printCombination(expression);
      case 'not':
        return this.#printNested(() => `not ${this.#printGroup(expression.item)}`);
      case 'any':
      case 'all':
        return this.#printNested(() => `${expression.kind}(${this.#printQuantified(expression.item)})`);
      case 'truth':
        return this.#printOperand(expression.operand);
      default:
        return `${this.#printOperand(expression.operand)} ${formatPredicate(expression.predicate)}`;
    }
  }

  #printCombination({ kind, items }: Extract<Expression, { items: unknown }>): string {
    const texts = items.map((item) => {
      const isLooser = 'items' in item && tightness[item.kind] <= tightness[kind];
      return this.#isMinimal && !isLooser ? this.#printExpression(item) : this.#printGroup(item);
    });
    const line = texts.join(` ${kind} `);
    const isShort = line.length + indent.length * this.#depth <= this.#widthMax && !line.includes('\n');
    return isShort ? line : texts.join(`\n${indent.repeat(this.#depth)}${kind} `);
  }

  /** In parentheses if it is a combination. */
  #printGroup(expression: Expression): string {
    if (!('items' in expression)) return this.#printExpression(expression);
    return this.#printNested(() => `(${this.#printExpression(expression)})`);
  }

  #printQuantified(item: Operand | Expression): string {
    return item.kind === 'operand' ? this.#printOperand(item) : this.#printCondition(item);
  }

  /** A condition as an argument: a single comparison needs no parentheses, an operand or a combination does. */
  #printCondition(expression: Expression): string {
    if (expression.kind === 'truth') return this.#printNested(() => `(${this.#printExpression(expression)})`);
    return this.#printGroup(expression);
  }

  #printOperand({ root, path }: Operand): string {
    const text =
      root.kind === 'field'
        ? root.field.name
        : this.#printNested(
            () => `${root.function.name}(${root.args.map((arg) => this.#printArgument(arg)).join(', ')})`,
          );
    return text + path.map(formatIndex).join('');
  }

  #printArgument(argument: Argument): string {
    switch (argument.kind) {
      case 'operand':
        return this.#printOperand(argument);
      case 'expression':
        return this.#printCondition(argument.expression);
      default:
        return formatLiteral(argument);
    }
  }

  #printNested(print: () => string): string {
    this.#depth++;
    this.depthMax = Math.max(this.depthMax, this.#depth);
    const text = print();
    this.#depth--;
    return text;
  }
}

function formatIndex(index: Index): string {
  switch (index.kind) {
    case 'each':
      return '[*]';
    case 'index':
      return `[${index.index}]`;
    default:
      return `[${quoteBytes(index.key)}]`;
  }
}

function formatPredicate(test: Predicate): string {
  switch (test.operator) {
    case 'in':
      return `in {${formatItems(test.set).join(' ')}}`;
    case 'in list':
      return `in $${test.list}`;
    case 'matches':
      return `matches ${formatRegex(test.value)}`;
    case 'wildcard':
    case 'strict wildcard':
      return `${test.operator} ${formatWildcard(test.value)}`;
    default:
      return `${test.operator} ${formatLiteral(test.value)}`;
  }
}

function formatItems(set: LiteralSet): string[] {
  switch (set.kind) {
    case 'Int':
      return set.items.map(formatIntRange);
    case 'Ip':
      return set.items.map(formatRange);
    default:
      return set.items.map(formatBytes);
  }
}

/**
 * The canonical spelling of an expression: operators as words, one space between things, numbers in decimal, addresses in
 * their shortest form. What is combined of different operators stands in parentheses, so that nobody has to know which
 * binds tighter. Reading the text again gives the same tree.
 */
import type {
  Argument,
  Expression,
  Filter,
  Index,
  LiteralSet,
  Operand,
  Test,
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
  /** Longer combinations are broken into lines; never, if not given. */
  readonly widthMax?: number;
}

export function format(tree: Filter | ValueExpression, { widthMax = Infinity }: FormatOptions = {}): string {
  const clear = new Printer({ widthMax, isMinimal: false });
  const text = clear.print(tree.root);
  // Parentheses for the reader's sake must not make an expression too deep to be read.
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
    if (root.kind === 'operand') return this.#operand(root);
    return this.#expression(root.kind === 'expression' ? root.expression : root);
  }

  #expression(expression: Expression): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor':
        return this.#combination(expression);
      case 'not':
        return this.#nested(() => `not ${this.#group(expression.item)}`);
      case 'any':
      case 'all':
        return this.#nested(() => `${expression.kind}(${this.#quantified(expression.item)})`);
      case 'truth':
        return this.#operand(expression.operand);
      default:
        return `${this.#operand(expression.operand)} ${formatTest(expression.test)}`;
    }
  }

  #combination({ kind, items }: Extract<Expression, { items: unknown }>): string {
    const texts = items.map((item) => {
      const isLooser = 'items' in item && tightness[item.kind] <= tightness[kind];
      return this.#isMinimal && !isLooser ? this.#expression(item) : this.#group(item);
    });
    const line = texts.join(` ${kind} `);
    const isShort = line.length + indent.length * this.#depth <= this.#widthMax && !line.includes('\n');
    return isShort ? line : texts.join(`\n${indent.repeat(this.#depth)}${kind} `);
  }

  /** In parentheses if it is a combination. */
  #group(expression: Expression): string {
    if (!('items' in expression)) return this.#expression(expression);
    return this.#nested(() => `(${this.#expression(expression)})`);
  }

  #quantified(item: Operand | Expression): string {
    return item.kind === 'operand' ? this.#operand(item) : this.#condition(item);
  }

  /** An argument that is a condition: one comparison may stand as it is, an operand or a combination may not. */
  #condition(expression: Expression): string {
    if (expression.kind === 'truth') return this.#nested(() => `(${this.#expression(expression)})`);
    return this.#group(expression);
  }

  #operand({ root, path }: Operand): string {
    const text =
      root.kind === 'field'
        ? root.field.name
        : this.#nested(
            () => `${root.function.name}(${root.args.map((arg) => this.#argument(arg)).join(', ')})`,
          );
    return text + path.map(formatIndex).join('');
  }

  #argument(argument: Argument): string {
    switch (argument.kind) {
      case 'operand':
        return this.#operand(argument);
      case 'expression':
        return this.#condition(argument.expression);
      default:
        return formatLiteral(argument);
    }
  }

  #nested(print: () => string): string {
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

function formatTest(test: Test): string {
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

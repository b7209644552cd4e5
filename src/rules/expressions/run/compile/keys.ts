/**
 * Keys that are equal exactly for parts of expressions with the same meaning: they identify the common parts of a whole
 * list of rules. Spelling, position and deprecated names of a field make no difference.
 */
import type { Argument, Call, Expression, Index, Operand, Predicate } from '../../ast.ts';
import { formatIp } from '#addresses';

export class Keys {
  readonly #known = new Map<Expression | Operand, string>();
  /** The key of a node contains the short keys of its parts, so its length does not grow with the depth of the node. */
  readonly #keys = new Map<string, string>();

  get(node: Expression | Operand): string {
    let key = this.#known.get(node);
    if (key === undefined) {
      const text = node.kind === 'operand' ? this.#writeOperand(node) : this.#writeExpression(node);
      key = this.#keys.get(text) ?? `#${this.#keys.size}`;
      this.#keys.set(text, key);
      this.#known.set(node, key);
    }
    return key;
  }

  #writeExpression(expression: Expression): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor':
        return `${expression.kind}(${expression.items.map((item) => this.get(item)).join(' ')})`;
      case 'not':
      case 'any':
      case 'all':
        return `${expression.kind}(${this.get(expression.item)})`;
      case 'truth':
        return `is(${this.get(expression.operand)})`;
      default:
        return `(${this.get(expression.operand)} ${writePredicate(expression.predicate)})`;
    }
  }

  #writeOperand({ root, path }: Operand): string {
    return (root.kind === 'field' ? root.field.key : this.call(root)) + path.map(writeIndex).join('');
  }

  call(call: Call): string {
    return `${call.function.name}(${call.args.map((argument) => this.#writeArgument(argument)).join()})`;
  }

  #writeArgument(argument: Argument): string {
    switch (argument.kind) {
      case 'operand':
        return this.get(argument);
      case 'expression':
        return this.get(argument.expression);
      default:
        return writeLiteral(argument);
    }
  }
}

function writeIndex(index: Index): string {
  if (index.kind === 'each') return '[*]';
  return index.kind === 'index' ? `[${index.index}]` : `[${JSON.stringify(index.key)}]`;
}

function writePredicate(test: Predicate): string {
  switch (test.operator) {
    case 'in':
      return `in {${writeItems(test.set).join(' ')}}`;
    case 'in list':
      return `in $${test.list}`;
    case 'matches':
    case 'wildcard':
    case 'strict wildcard':
      return `${test.operator} ${JSON.stringify(test.value.source)}`;
    default:
      return `${test.operator} ${writeLiteral(test.value)}`;
  }
}

function writeItems(set: Extract<Predicate, { operator: 'in' }>['set']): readonly string[] {
  if (set.kind === 'Bytes') return set.items.map((item) => JSON.stringify(item.value));
  if (set.kind === 'Int') return set.items.map(({ first, last }) => `${first.exact}..${last.exact}`);
  return set.items.map(({ first, last }) => `${formatIp(first)}..${formatIp(last)}`);
}

function writeLiteral(literal: Extract<Argument, { kind: 'Int' | 'Ip' | 'Bytes' }>): string {
  if (literal.kind === 'Int') return String(literal.exact);
  return literal.kind === 'Ip' ? formatIp(literal.value) : JSON.stringify(literal.value);
}

/**
 * Keys that are equal exactly for parts of expressions that mean the same, wherever they stand: by these, common parts
 * of a whole list of rules are found. Spelling and position do not count, nor does a deprecated name for a field.
 */
import type { Argument, Call, Expression, Index, Operand, Test } from '../../ast.ts';
import { formatIp } from '#base';

export class Keys {
  readonly #known = new Map<Expression | Operand, string>();
  /** By what a node says, its parts by their keys: so a key is short however deep its node is. */
  readonly #keys = new Map<string, string>();

  of(node: Expression | Operand): string {
    let key = this.#known.get(node);
    if (key === undefined) {
      const text = node.kind === 'operand' ? this.#operand(node) : this.#expression(node);
      key = this.#keys.get(text) ?? `#${this.#keys.size}`;
      this.#keys.set(text, key);
      this.#known.set(node, key);
    }
    return key;
  }

  #expression(expression: Expression): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
      case 'xor':
        return `${expression.kind}(${expression.items.map((item) => this.of(item)).join(' ')})`;
      case 'not':
      case 'any':
      case 'all':
        return `${expression.kind}(${this.of(expression.item)})`;
      case 'truth':
        return `is(${this.of(expression.operand)})`;
      default:
        return `(${this.of(expression.operand)} ${testKey(expression.test)})`;
    }
  }

  #operand({ root, path }: Operand): string {
    return (root.kind === 'field' ? root.field.key : this.call(root)) + path.map(indexKey).join('');
  }

  call(call: Call): string {
    return `${call.function.name}(${call.args.map((argument) => this.#argument(argument)).join()})`;
  }

  #argument(argument: Argument): string {
    switch (argument.kind) {
      case 'operand':
        return this.of(argument);
      case 'expression':
        return this.of(argument.expression);
      default:
        return literalKey(argument);
    }
  }
}

function indexKey(index: Index): string {
  if (index.kind === 'each') return '[*]';
  return index.kind === 'index' ? `[${index.index}]` : `[${JSON.stringify(index.key)}]`;
}

function testKey(test: Test): string {
  switch (test.operator) {
    case 'in':
      return `in {${setItems(test.set).join(' ')}}`;
    case 'in list':
      return `in $${test.list}`;
    case 'matches':
    case 'wildcard':
    case 'strict wildcard':
      return `${test.operator} ${JSON.stringify(test.value.source)}`;
    default:
      return `${test.operator} ${literalKey(test.value)}`;
  }
}

function setItems(set: Extract<Test, { operator: 'in' }>['set']): readonly string[] {
  if (set.kind === 'Bytes') return set.items.map((item) => JSON.stringify(item.value));
  if (set.kind === 'Int') return set.items.map(({ first, last }) => `${first.exact}..${last.exact}`);
  return set.items.map(({ first, last }) => `${formatIp(first)}..${formatIp(last)}`);
}

function literalKey(literal: Extract<Argument, { kind: 'Int' | 'Ip' | 'Bytes' }>): string {
  if (literal.kind === 'Int') return String(literal.exact);
  return literal.kind === 'Ip' ? formatIp(literal.value) : JSON.stringify(literal.value);
}

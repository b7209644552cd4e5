/** Tree shapes that the generator optimises. */
import type { Comparison, Expression, Operand } from '../../ast.ts';
import type { Type } from '../../types.ts';
import type { Keys } from './keys.ts';

/** `lower(argument) eq literal` and nothing else: equality then needs no lower-case copy. */
export function matchLoweredComparison({
  operand,
  predicate,
}: Comparison): { argument: Operand; literal: string } | undefined {
  const { root, path } = operand;
  if (predicate.operator !== 'eq' || predicate.value.kind !== 'Bytes') return undefined;
  if (root.kind !== 'call' || root.function.name !== 'lower' || path.length !== Number(root.isMapped))
    return undefined;
  if (root.isMapped && path[0]!.kind !== 'each') return undefined;
  const [argument] = root.args;
  return argument?.kind === 'operand' ? { argument, literal: predicate.value.value } : undefined;
}

/** The operand whose elements all parts of an `Array<Bool>` expression read, if there is only one. */
export function findCommonSource(expression: Expression, keys: Keys): Operand | undefined {
  switch (expression.kind) {
    case 'and':
    case 'or':
    case 'xor': {
      const [first, ...rest] = expression.items.map((item) => findCommonSource(item, keys));
      if (first === undefined) return undefined;
      return rest.every((other) => other !== undefined && keys.get(other) === keys.get(first))
        ? first
        : undefined;
    }
    case 'not':
      return findCommonSource(expression.item, keys);
    case 'truth':
    case 'comparison':
      return expression.operand;
    default:
      return undefined;
  }
}

/** The parts of a node, without literals. */
export function listParts(node: Expression | Operand): readonly (Expression | Operand)[] {
  switch (node.kind) {
    case 'and':
    case 'or':
    case 'xor':
      return node.items;
    case 'not':
    case 'any':
    case 'all':
      return [node.item];
    case 'truth':
    case 'comparison':
      return [node.operand];
    default:
      if (node.root.kind === 'field') return [];
      return node.root.args.flatMap((argument): readonly (Expression | Operand)[] => {
        if (argument.kind === 'operand') return [argument];
        return argument.kind === 'expression' ? [argument.expression] : [];
      });
  }
}

/** The type at the end of a path without `[*]`. */
export function getTypeBehind(type: Type, path: Operand['path']): Type {
  return path.reduce((container) => (container as { of: Type }).of, type);
}

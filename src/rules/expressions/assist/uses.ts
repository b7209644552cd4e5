/**
 * The names that an expression uses, so that a host does not compute a costly field needlessly or delete a list in use.
 */
import type { Filter, ValueExpression, FunctionDefinition } from '../ast.ts';
import type { Field } from '../field.ts';
import { walk } from './walk.ts';

export interface Uses {
  readonly fields: ReadonlySet<Field>;
  readonly functions: ReadonlySet<FunctionDefinition>;
  /** Names without `$`. */
  readonly lists: ReadonlySet<string>;
  /** The number of regular expressions. */
  readonly regexCount: number;
}

export function usesOf(tree: Filter | ValueExpression): Uses {
  const fields = new Set<Field>();
  const functions = new Set<FunctionDefinition>();
  const lists = new Set<string>();
  let regexCount = 0;
  for (const node of walk(tree)) {
    if (node.kind === 'comparison') {
      if (node.predicate.operator === 'in list') lists.add(node.predicate.list);
      if (node.predicate.operator === 'matches') regexCount++;
    } else if (node.root.kind === 'field') {
      fields.add(node.root.field);
    } else {
      functions.add(node.root.function);
      for (const field of node.root.alsoReads) fields.add(field);
      if (node.root.function.regexArgument !== undefined) regexCount++;
    }
  }
  return { fields, functions, lists, regexCount };
}

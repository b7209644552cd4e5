/** Validation rules that bound the cost of one query. */
import {
  type ASTVisitor,
  getNamedType,
  GraphQLError,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import { fieldsPerNodeMax, introspectionsMax } from './limits.ts';
import { dimensionsType, eventType } from './schema.ts';

export function FieldsPerNodeRule(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      const type = getNamedType(context.getType());
      if (node.selectionSet === undefined || (type !== eventType && type !== dimensionsType)) return;
      const names = new Set<string>();
      collectNames(node.selectionSet, context, names, new Set());
      if (names.size <= fieldsPerNodeMax) return;
      const message = `a node can have ${fieldsPerNodeMax} fields: ${node.name.value} has ${names.size}`;
      context.reportError(new GraphQLError(message, { nodes: [node] }));
    },
  };
}

function collectNames(
  { selections }: SelectionSetNode,
  context: ValidationContext,
  names: Set<string>,
  seen: Set<string>,
): void {
  for (const node of selections) {
    if (node.kind === 'Field') names.add((node.alias ?? node.name).value);
    else if (node.kind === 'InlineFragment') collectNames(node.selectionSet, context, names, seen);
    else if (!seen.has(node.name.value)) {
      seen.add(node.name.value);
      const fragment = context.getFragment(node.name.value);
      if (fragment) collectNames(fragment.selectionSet, context, names, seen);
    }
  }
}

export function IntrospectionsRule(context: ValidationContext): ASTVisitor {
  let count = 0;
  return {
    Field({ name }) {
      if (name.value !== '__schema' && name.value !== '__type') return;
      if (++count === introspectionsMax + 1) {
        context.reportError(new GraphQLError(`a query can ask for the schema ${introspectionsMax} times`));
      }
    },
  };
}

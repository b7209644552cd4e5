/**
 * The kinds of lists and the values that expressions may look up in them: addresses, host names and network numbers
 * each have their kind.
 */
import type { Argument, Comparison, Expression, Filter } from '#expressions';

export const listKinds = ['ip', 'redirect', 'hostname', 'asn'] as const;

export type ListKind = (typeof listKinds)[number];

/** Redirect lists are only for expressions of the phase that redirects by them. */
export const expressionListKinds = ['ip', 'hostname', 'asn'] as const satisfies readonly ListKind[];

const itemTypes: Readonly<Record<ListKind, string | undefined>> = {
  ip: 'Ip',
  hostname: 'Bytes',
  asn: 'Int',
  redirect: undefined,
};

/**
 * The first list whose items have another type than the values looked up in it, as a sentence; undefined if all fit.
 */
export function findMisfitList(
  tree: Filter,
  lists: ReadonlyMap<string, ListKind>,
  phase?: string,
): string | undefined {
  for (const { operand, predicate } of comparisonsOf(tree.root)) {
    if (predicate.operator !== 'in list') continue;
    const kind = lists.get(predicate.list);
    const isRedirect = kind === 'redirect' && phase === 'http_request_redirect';
    const type = kind && (isRedirect ? 'Bytes' : itemTypes[kind]);
    if (kind === undefined || type === operand.type.kind) continue;
    const asked = tree.source.slice(operand.span.start, operand.span.end);
    return `the list $${predicate.list} is of the kind ${kind}, and ${asked} is of the type ${operand.type.kind}`;
  }
  return undefined;
}

function* comparisonsOf(expression: Expression): Generator<Comparison> {
  switch (expression.kind) {
    case 'and':
    case 'or':
    case 'xor':
      for (const item of expression.items) yield* comparisonsOf(item);
      return;
    case 'not':
      yield* comparisonsOf(expression.item);
      return;
    case 'any':
    case 'all':
      yield* expression.item.kind === 'operand'
        ? comparisonsInArgument(expression.item)
        : comparisonsOf(expression.item);
      return;
    case 'comparison':
      yield expression;
  }
  yield* comparisonsInArgument(expression.operand);
}

function* comparisonsInArgument(argument: Argument): Generator<Comparison> {
  if (argument.kind === 'expression') yield* comparisonsOf(argument.expression);
  if (argument.kind !== 'operand' || argument.root.kind !== 'call') return;
  for (const inner of argument.root.args) yield* comparisonsInArgument(inner);
}

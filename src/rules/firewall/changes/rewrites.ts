/** Rules that rewrite the URL, or fields of the request or the response, compiled. */
import type { RewrittenUri } from '#expressions';
import { isHeaderValue, type RewriteParameters, writePath, writeQuery } from '#rulesets';
import type { Compiling } from '../programs/rule-program.ts';
import type { Act, Change, FieldOperation } from './change.ts';
import { compileGivenValue, type ValueOf } from './given-value.ts';

export function compileUriRewrite({ uri }: RewriteParameters, options: Compiling['options']): Act {
  if (uri?.path === undefined && uri?.query === undefined)
    throw new RangeError('it rewrites neither path nor query');
  const path = uri.path && compileGivenValue(uri.path, options).read;
  const query = uri.query && compileGivenValue(uri.query, options).read;
  return (view) => {
    const newPath = path && writePath(path(view) ?? '');
    const newQuery = query && writeQuery(query(view) ?? '');
    if ((path !== undefined && newPath === undefined) || (query !== undefined && newQuery === undefined))
      return { kind: 'nothing', reason: 'the path is empty, or the URL too long' };
    return {
      kind: 'uri',
      ...(newPath === undefined ? {} : { path: newPath }),
      ...(newQuery === undefined ? {} : { query: newQuery }),
    };
  };
}

/**
 * The URL that later rules and the origin see; undefined if it stays. The last rule that sets a part overrides earlier
 * ones.
 */
export function findRewrite(changes: readonly Change[] = []): RewrittenUri | undefined {
  let rewrite: RewrittenUri | undefined;
  for (const { effect } of changes) {
    if (effect.kind !== 'uri') continue;
    const { kind: _kind, ...parts } = effect;
    rewrite = { ...rewrite, ...parts };
  }
  return rewrite;
}

export function compileHeaderRewrite({ headers }: RewriteParameters, options: Compiling['options']): Act {
  if (headers === undefined) throw new RangeError('it rewrites no fields');
  const operations = Object.entries(headers).map(([name, { operation, ...given }]) => ({
    name,
    operation,
    read: operation === 'remove' ? undefined : compileGivenValue(given, options).read,
  }));
  return (view) => ({
    kind: 'fields',
    operations: operations.flatMap(({ name, operation, read }) => operate({ name, operation, read }, view)),
  });
}

interface CompiledOperation extends Pick<FieldOperation, 'name' | 'operation'> {
  readonly read: ValueOf | undefined;
}

/**
 * An invalid or missing value is not sent: the field is removed instead, so that the origin cannot mistake the client's
 * own for it.
 */
function operate(
  { name, operation, read }: CompiledOperation,
  view: Parameters<ValueOf>[0],
): FieldOperation[] {
  if (read === undefined) return [{ operation: 'remove', name }];
  const value = read(view) ?? '';
  if (value !== '' && isHeaderValue(value)) return [{ operation, name, value }];
  return operation === 'set' ? [{ operation: 'remove', name }] : [];
}

/** All changes that rules of a phase make to fields, in order; undefined if there are none. */
export function listFieldOperations(
  changes: readonly Change[] = [],
  phase: string,
): readonly FieldOperation[] | undefined {
  const operations = changes.flatMap((change) =>
    change.phase === phase && change.effect.kind === 'fields' ? change.effect.operations : [],
  );
  return operations.length === 0 ? undefined : operations;
}

import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, result } from '../parameters.ts';
import { bytesType } from '../types.ts';

/** Names are compared as they are written in the query, including escapes. */
export const remove_query_args: FunctionDefinition = {
  name: 'remove_query_args',
  summary: 'The query without the arguments of these names; the others keep their order.',
  parameters: [
    bytesParameter('query', { fields: ['http.request.uri.query', 'raw.http.request.uri.query'] }),
    bytesParameter('name', { kind: 'Any', isRepeated: true }),
  ],
  uses: ['rewrite'],
  resultType: result(bytesType),
  prepare: () => removeQueryArgs,
};

function removeQueryArgs(
  query: string | undefined,
  ...names: readonly (string | undefined)[]
): string | undefined {
  if (query === undefined) return undefined;
  const kept = query.split('&').filter((argument) => !names.includes(argument.split('=', 1)[0]));
  return kept.join('&');
}

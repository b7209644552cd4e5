import type { FunctionDefinition } from '../ast.ts';
import { everywhere } from '../parameters.ts';
import { bytesType, type Type } from '../types.ts';
import type { Value } from '../values.ts';

/** Nil is skipped; the result is nil only if every argument is. */
export const concat: FunctionDefinition = {
  name: 'concat',
  summary: 'Concatenates two or more byte strings, or two or more arrays of one type.',
  parameters: [
    { name: 'first', kind: 'Any', types: [bytesType, 'Array'] },
    { name: 'next', kind: 'Any', types: [bytesType, 'Array'], isRepeated: true },
  ],
  uses: everywhere,
  resultType: ([first]) => first!,
  expectedTypes: ([first]: readonly Type[]) => (first === undefined ? [bytesType, 'Array'] : [first]),
  prepare: () => concatValues,
};

function concatValues(...values: readonly (string | readonly Value[] | undefined)[]): Value | undefined {
  const present = values.filter((value) => value !== undefined);
  const [first] = present;
  if (first === undefined) return undefined;
  if (typeof first !== 'string') return present.flat();
  // Concatenated, not joined: V8 copies the bytes once when they are read, however deep the calls are nested.
  return (present as readonly string[]).reduce((joined, value) => joined + value);
}

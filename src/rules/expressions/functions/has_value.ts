import type { FunctionDefinition } from '../ast.ts';
import { everywhere, result } from '../parameters.ts';
import { boolType, bytesType, intType, ipType, type Type } from '../types.ts';
import { isEqualIp, Ip } from '#addresses';
import type { Value } from '../values.ts';

export const has_value: FunctionDefinition = {
  name: 'has_value',
  summary: 'Whether an array or a map holds this value.',
  parameters: [
    { name: 'container', kind: 'Field', types: ['Array', 'Map'] },
    { name: 'value', kind: 'Any', types: [boolType, intType, ipType, bytesType] },
  ],
  uses: everywhere,
  resultType: result(boolType),
  expectedTypes: ([container]: readonly Type[]) =>
    container !== undefined && 'of' in container ? [container.of] : ['Array', 'Map'],
  prepare: () => hasValue,
};

function hasValue(
  container: readonly Value[] | ReadonlyMap<string, Value> | undefined,
  value: Value | undefined,
): boolean | undefined {
  if (container === undefined || value === undefined) return undefined;
  const values: Iterable<Value> = container.values();
  for (const candidate of values) {
    const isSame =
      value instanceof Ip && candidate instanceof Ip ? isEqualIp(value, candidate) : candidate === value;
    if (isSame) return true;
  }
  return false;
}

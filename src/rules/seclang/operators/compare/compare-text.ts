import { captureWhole, type OperatorDefinition } from '../operator.ts';

export function compareText(
  name: string,
  compare: (value: string, argument: string) => boolean,
): OperatorDefinition {
  return {
    name,
    prepare: (argument) => ({
      test: (value, scope) => compare(value, argument.constant ?? argument.expand(scope)),
      capture: captureWhole,
    }),
  };
}

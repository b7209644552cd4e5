import { captureWhole, type OperatorDefinition } from '../operator.ts';

/** A text that is not a number counts as 0. */
export function compareNumbers(
  name: string,
  compare: (value: number, argument: number) => boolean,
): OperatorDefinition {
  return {
    name,
    prepare: (argument) => {
      const constant = argument.constant === undefined ? undefined : toNumber(argument.constant);
      return {
        test: (value, scope) => compare(toNumber(value), constant ?? toNumber(argument.expand(scope))),
        capture: captureWhole,
      };
    },
  };
}

function toNumber(text: string): number {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? 0 : number;
}

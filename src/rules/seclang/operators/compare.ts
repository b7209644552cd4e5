/** Operators that compare a value with their argument, as a text or as a number. */
import { captureWhole, type OperatorDefinition } from './operator.ts';

function compareText(
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

/** A text that is not a number counts as 0. */
function compareNumbers(
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

const beginsWith: OperatorDefinition = compareText('beginswith', (value, argument) =>
  value.startsWith(argument),
);

const contains: OperatorDefinition = compareText('contains', (value, argument) => value.includes(argument));

/** The argument as a whole word: neither a letter, a digit nor `_` before or after it. */
const containsWord: OperatorDefinition = compareText('containsword', (value, argument) => {
  for (let at = value.indexOf(argument); at !== -1; at = value.indexOf(argument, at + 1)) {
    if (!isWordByte(value[at - 1]) && !isWordByte(value[at + argument.length])) return true;
    if (argument === '') return true;
  }
  return false;
});

function isWordByte(byte: string | undefined): boolean {
  return byte !== undefined && /\w/.test(byte);
}

const endsWith: OperatorDefinition = compareText('endswith', (value, argument) => value.endsWith(argument));

const streq: OperatorDefinition = compareText('streq', (value, argument) => value === argument);

/** The value occurs in the argument, not the other way round. */
const within: OperatorDefinition = compareText('within', (value, argument) => argument.includes(value));

const eq: OperatorDefinition = compareNumbers('eq', (value, argument) => value === argument);

const ge: OperatorDefinition = compareNumbers('ge', (value, argument) => value >= argument);

const gt: OperatorDefinition = compareNumbers('gt', (value, argument) => value > argument);

const le: OperatorDefinition = compareNumbers('le', (value, argument) => value <= argument);

const lt: OperatorDefinition = compareNumbers('lt', (value, argument) => value < argument);

export const comparisons: readonly OperatorDefinition[] = [
  beginsWith,
  contains,
  containsWord,
  endsWith,
  eq,
  ge,
  gt,
  le,
  lt,
  streq,
  within,
];

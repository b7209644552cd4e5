import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { momentParameter } from './moments.ts';
import {
  choiceParameter,
  countParameter,
  flagParameter,
  pageParameters,
  type Parameter,
  repeatedParameter,
  textParameter,
} from './parameters.ts';

function read<T>(parameter: Parameter<T>, ...values: string[]): T | string {
  const problems: string[] = [];
  const value = parameter.read(values, problems);
  return problems.length > 0 ? problems.join('; ') : value;
}

test('textParameter takes one value', () => {
  equal(read(textParameter()), undefined);
  equal(read(textParameter(), 'a'), 'a');
});

test('every parameter of one value takes it twice, and refuses another one beside it', () => {
  const cases: readonly (readonly [Parameter<unknown>, string, string])[] = [
    [textParameter(), 'a', 'b'],
    [countParameter({ fallback: 25, min: 5, max: 100 }), '7', '9'],
    [flagParameter(), 'true', 'false'],
    [choiceParameter(['asc', 'desc']), 'asc', 'desc'],
    [momentParameter('When.'), '2024-01-31', '2024-02-01'],
  ];
  for (const [parameter, one, other] of cases) {
    deepEqual(read(parameter, one, one), read(parameter, one));
    equal(read(parameter, one, one, other), `must have one value: it has "${one}" and "${other}"`);
  }
});

test('countParameter brings numbers up to its minimum, and refuses those above its maximum and what is none', () => {
  const parameter = countParameter({ fallback: 25, min: 5, max: 100 });
  deepEqual(
    [[], [''], ['7'], ['1'], ['-3'], ['100']].map((values) => read(parameter, ...values)),
    [25, 25, 7, 5, 5, 100],
  );
  for (const value of [101, 100_000, 999_999_999_999_999])
    equal(read(parameter, `${value}`), `must be at most 100: ${value}`);
  for (const value of ['x', '1.5', '1e3', '0x10', ' 7', '+7', 'NaN', '٣', '1'.repeat(16)]) {
    equal(read(parameter, value), `must be a whole number: "${value}"`);
  }
});

test('flagParameter takes both spellings of true and false', () => {
  deepEqual(
    [[], [''], ['true'], ['1'], ['false'], ['0']].map((values) => read(flagParameter(), ...values)),
    [undefined, undefined, true, true, false, false],
  );
  equal(read(flagParameter(), 'TRUE'), 'must be true or false: "TRUE"');
});

test('choiceParameter takes what it lists', () => {
  const parameter = choiceParameter(['asc', 'desc']);
  equal(read(parameter), undefined);
  equal(read(parameter, 'desc'), 'desc');
  equal(read(parameter, 'toString'), 'must be one of asc, desc: "toString"');
});

test('repeatedParameter takes all of them, up to so many', () => {
  const parameter = repeatedParameter({ max: 2 });
  deepEqual(read(parameter, 'a', 'b'), ['a', 'b']);
  equal(read(parameter, 'a', 'b', 'c'), 'must be given at most 2 times: 3');
});

test('pageParameters start at the first page, and take pages that no list has', () => {
  const { page, per_page } = pageParameters({ fallback: 25, max: 100 });
  deepEqual(
    [read(page), read(page, '0'), read(page, '999999999999999'), read(per_page), read(per_page, '1')],
    [1, 1, 1_000_000, 25, 1],
  );
  equal(read(per_page, '1000'), 'must be at most 100: 1000');
});

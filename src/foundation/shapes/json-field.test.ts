import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { CodedProblems } from './coded-problems.ts';
import { JsonField } from './json-field.ts';
import { beginningCharactersMax, problemsMax, shownCharactersMax } from './limits.ts';
import { choice, flag, integer, text, unread } from './scalars.ts';
import type { Shape } from './shape.ts';
import { array, map, object, optional } from './structures.ts';

const codes = {
  wrongType: { code: 1 },
  unknownField: { code: 2 },
  missingField: { code: 3 },
  outOfRange: { code: 4 },
  unknownChoice: { code: 5 },
  taken: { code: 6 },
};

function fieldOf<T>(shape: Shape<T>, body: unknown): JsonField<T, keyof typeof codes> {
  return JsonField.ofBody(body, shape, new CodedProblems<keyof typeof codes>(codes));
}

function problemsOf(field: JsonField<unknown, keyof typeof codes>): readonly string[] {
  const checked = field.problems.conclude(() => undefined);
  return checked.ok
    ? []
    : checked.problems.map(({ code, pointer, message }) => `${code} ${pointer}: ${message}`);
}

const person = object({
  name: text({ min: 1, max: 5 }),
  age: optional(integer({ min: 0, max: 150 })),
  isAway: optional(flag()),
  rank: optional(choice(['first', 'second'])),
});

test('JsonField reads what is as described', () => {
  const field = fieldOf(person, { name: 'Ann', age: 7, isAway: false, rank: 'second' });
  ok(field.hasOnlyKnownFields());
  deepEqual(
    [field.at('name').read(), field.at('age').read(), field.at('isAway').read(), field.at('rank').read()],
    ['Ann', 7, false, 'second'],
  );
  deepEqual(problemsOf(field), []);
});

const mistakes: readonly (readonly [string, unknown, string])[] = [
  ['name', 5, "1 /name: '5' is not a valid value for name because it must be a string"],
  ['name', '', "4 /name: '' is not a valid value for name because it cannot be empty"],
  [
    'name',
    'Andrea',
    "4 /name: 'Andrea' is not a valid value for name because it is longer than 5 characters",
  ],
  ['name', undefined, '3 /name: name is required'],
  ['age', 1.5, "1 /age: '1.5' is not a valid value for age because it must be a whole number"],
  ['age', 151, "4 /age: '151' is not a valid value for age because it must be from 0 to 150"],
  ['isAway', null, "1 /isAway: 'null' is not a valid value for isAway because it must be true or false"],
  ['rank', [], "1 /rank: 'array' is not a valid value for rank because it must be a string"],
  [
    'rank',
    'secnd',
    "5 /rank: 'secnd' is not a valid value for rank because it must be one of first, second: did you mean second?",
  ],
];

for (const [name, value, problem] of mistakes) {
  test(`JsonField refuses ${name} ${JSON.stringify(value)} by its description`, () => {
    const field = fieldOf(person, { [name]: value });
    equal(field.at(name as 'name').read(), undefined);
    deepEqual(problemsOf(field), [problem]);
  });
}

test('JsonField notes fields that are not described, with a guess, and escapes their names', () => {
  const field = fieldOf(person, { nmae: 1, 'a/b~': 2 });
  equal(field.hasOnlyKnownFields(), false);
  deepEqual(problemsOf(field), [
    "2 /nmae: unknown field 'nmae': did you mean name?",
    "2 /a~1b~0: unknown field 'a/b~'",
  ]);
});

test('JsonField says once that a field is missing, and nothing of one that may be', () => {
  const field = fieldOf(person, {});
  const name = field.at('name');
  equal(name.isThere(), false);
  equal(name.read(), undefined);
  equal(field.at('age').read(), undefined);
  deepEqual(problemsOf(field), ['3 /name: name is required']);
});

test('JsonField.items has a field for each item, which messages call by the name of the list', () => {
  const field = fieldOf(object({ tags: array(text({ max: 3 }), { min: 1, max: 2 }) }), {
    tags: ['a', 'long'],
  });
  deepEqual(
    field
      .at('tags')
      .items()
      ?.map((item) => item.read()),
    ['a', undefined],
  );
  deepEqual(problemsOf(field), [
    "4 /tags/1: 'long' is not a valid value for tags because it is longer than 3 characters",
  ]);
});

for (const [tags, code] of [
  [[], 3],
  [['a', 'b', 'c'], 4],
  ['a', 1],
] as const) {
  test(`JsonField.items refuses ${JSON.stringify(tags)}`, () => {
    const field = fieldOf(object({ tags: array(text(), { min: 1, max: 2 }) }), { tags });
    equal(field.at('tags').items(), undefined);
    deepEqual(
      problemsOf(field).map((problem) => problem.split(':')[0]),
      [`${code} /tags`],
    );
  });
}

test('JsonField.at reads the values of a map by their description', () => {
  const field = fieldOf(map(text({ max: 1 }), { max: 3 }), { a: 'x', b: 'xy' });
  deepEqual([field.at('a').read(), field.at('b').read(), field.at('c').read()], ['x', undefined, undefined]);
  equal(problemsOf(field).length, 1);
});

test('JsonField.as reads a field by another description, at the same place', () => {
  const field = fieldOf(object({ parameters: unread({ type: 'object' }) }), { parameters: { status: 200 } });
  const parameters = field.at('parameters').as(object({ status: integer({ min: 400, max: 499 }) }));
  equal(parameters.at('status').read(), undefined);
  equal(problemsOf(field)[0]?.startsWith('4 /parameters/status: '), true);
});

test('JsonField.choice takes fewer choices than the description, and refuse any name of the table', () => {
  const field = fieldOf(person, { name: 'Ann', rank: 'second' });
  equal(field.at('rank').choice(['first']), undefined);
  field.at('name').refuse('taken', 'another has it');
  deepEqual(
    problemsOf(field).map((problem) => problem.split(' ')[0]),
    ['5', '6'],
  );
});

test('JsonField repeats the beginning of a long value, and CodedProblems holds a bounded number', () => {
  const beginning = `'${'x'.repeat(beginningCharactersMax)}…' is not a valid value for name because`;
  for (const length of [beginningCharactersMax + 1, shownCharactersMax + 1]) {
    const long = fieldOf(person, { name: 'x'.repeat(length) });
    long.at('name').read();
    deepEqual(problemsOf(long), [`4 /name: ${beginning} it is longer than 5 characters`]);
  }
  const field = fieldOf(person, { name: 'x'.repeat(shownCharactersMax) });
  field.at('name').refuse('taken', 'another has it');
  equal(problemsOf(field)[0]!.includes(`'${'x'.repeat(shownCharactersMax)}' is`), true);
  for (let count = 0; count <= problemsMax; count++) field.refuse('taken', 'again');
  equal(field.problems.isFull, true);
  equal(problemsOf(field).length, problemsMax);
});

test('JsonField.read reads an object by its description, and says what is missing before what is wrong', () => {
  const key = text({ max: 8, pattern: /^[0-9a-f]+$/, description: 'hexadecimal digits' });
  const shape = object({ key, person: optional(person) });
  deepEqual(fieldOf(shape, { key: 'f0', person: { name: 'Ann' } }).read(), {
    key: 'f0',
    person: { name: 'Ann' },
  });
  const field = fieldOf(shape, { key: 'xyz', person: { age: 200 } });
  field.read();
  deepEqual(problemsOf(field), [
    "4 /key: 'xyz' is not a valid value for key because it must be hexadecimal digits",
    '3 /person/name: name is required',
    "4 /person/age: '200' is not a valid value for age because it must be from 0 to 150",
  ]);
});

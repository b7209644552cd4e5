import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { constant, either, json, listOf, mapOf, nothing, number, record, string, whole } from './answers.ts';
import { flag, nullable } from './scalars.ts';
import type { Problem, Shape } from './shape.ts';
import { optional } from './structures.ts';

const answer = record({
  id: string,
  count: whole,
  share: optional(number),
  parts: listOf(record({ isOn: flag() })),
  totals: mapOf(whole),
  filter: either(record({ deleted: constant(true) }), record({ expression: string })),
  note: nullable(string),
  rest: optional(json),
});

const sound = {
  id: 'a',
  count: 1,
  parts: [{ isOn: true }],
  totals: { a: 1 },
  filter: { expression: 'x' },
  note: null,
};

function problemsOf(shape: Shape<unknown>, value: unknown): readonly string[] {
  const problems: Problem[] = [];
  shape.read(value, '', problems);
  return problems.map(({ pointer, message }) => `${pointer} ${message}`);
}

test('record takes what is as described, and keeps fields that a later version adds', () => {
  const problems: Problem[] = [];
  const later = { ...sound, added: 1 };
  deepEqual(answer.read(later, '', problems), later);
  deepEqual(problems, []);
});

test('record names each field that is missing or of another kind', () => {
  deepEqual(
    problemsOf(answer, { ...sound, id: 1, count: 1.5, parts: [{ isOn: 'yes' }, 1], totals: { a: 'x' } }),
    [
      '/id must be a string: 1',
      '/count must be a whole number: 1.5',
      '/parts/0/isOn must be true or false: "yes"',
      '/parts/1 must be an object: 1',
      '/totals/a must be a whole number: "x"',
    ],
  );
  const { note: _note, ...without } = sound;
  deepEqual(problemsOf(answer, without), ['/note is required']);
});

test('either takes the first shape that fits, and says what is wrong with the first if none does', () => {
  const shape = either(constant('off'), whole, nothing);
  for (const value of ['off', 3, null]) deepEqual(problemsOf(shape, value), []);
  deepEqual(problemsOf(shape, 'on'), [' must be "off": "on"']);
});

test('record has a schema that lets later versions add fields', () => {
  equal(record({ id: string }).schema['additionalProperties'], undefined);
  deepEqual(record({ id: string, ref: optional(string) }).schema, {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, ref: { type: 'string' } },
  });
});

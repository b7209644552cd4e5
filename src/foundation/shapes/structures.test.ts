import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { problemsMax } from './limits.ts';
import { choice, flag, integer, nullable, text, unread } from './scalars.ts';
import type { Problem, Shape } from './shape.ts';
import { array, arrayOrOne, ignored, map, object, optional } from './structures.ts';

function read<T>(shape: Shape<T>, value: unknown): { value: T; problems: Problem[] } {
  const problems: Problem[] = [];
  return { value: shape.read(value, '', problems), problems };
}

function mistakes(shape: Shape<unknown>, value: unknown): string[] {
  return read(shape, value).problems.map(({ pointer, message }) => `${pointer}: ${message}`);
}

const rule = object({
  name: text({ min: 1, max: 5 }),
  weight: optional(integer({ min: 0, max: 9 })),
  mode: optional(choice(['on', 'off', 3])),
  note: optional(nullable(text())),
  version: ignored(),
  parts: optional(array(object({ enabled: flag() }), { min: 1, max: 2 })),
});

test('object reads what it names and leaves out what is missing or ignored', () => {
  const given = {
    name: 'a',
    weight: 3,
    mode: 3,
    note: null,
    version: { any: 'thing' },
    parts: [{ enabled: true }],
  };
  const { version: _, ...kept } = given;
  deepEqual(read(rule, given), { value: kept, problems: [] });
  deepEqual(read(rule, { name: 'a' }), { value: { name: 'a' }, problems: [] });
});

test('object points at every mistake', () => {
  deepEqual(
    mistakes(rule, { nmae: 'a', weight: 1.5, mode: 'of', note: 1, parts: [{ enabled: 1, 'a/~b': 0 }] }),
    [
      '/nmae: is not a known field: did you mean name?',
      '/weight: must be a whole number from 0 to 9: 1.5',
      '/mode: must be one of on, off, 3: "of"',
      '/note: must be a string: 1',
      '/parts/0/enabled: must be true or false: 1',
      '/parts/0/a~1~0b: is not a known field',
      '/name: is required',
    ],
  );
  deepEqual(mistakes(rule, []), [': must be an object: an array']);
  deepEqual(mistakes(rule, null), [': must be an object: null']);
  deepEqual(mistakes(rule, { name: 'abcdef', parts: [] }), [
    '/name: must have 1 to 5 characters: it has 6',
    '/parts: must have 1 to 2 items: it has 0',
  ]);
});

test('object takes names that every object inherits for unknown ones', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    const value: unknown = JSON.parse(`{"name":"a","${name}":1}`);
    deepEqual(mistakes(rule, value), [`/${name}: is not a known field`]);
  }
});

test('object stops at so many mistakes', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 0]));
  equal(mistakes(object({}), many).length, problemsMax);
});

test('array stops at so many mistakes and reads no list that is too long', () => {
  const flags = array(flag(), { max: 1_000 });
  equal(mistakes(flags, Array(1_000).fill('x')).length, problemsMax);
  deepEqual(mistakes(flags, Array(1_001).fill('x')), [': must have at most 1000 items: it has 1001']);
  deepEqual(mistakes(flags, { length: 1 }), [': must be an array: an object']);
});

test('arrayOrOne takes one item as a list of it', () => {
  const shape = arrayOrOne(object({ on: flag() }), { max: 2 });
  deepEqual(read(shape, { on: true }), { value: [{ on: true }], problems: [] });
  deepEqual(read(shape, [{ on: true }, { on: false }]).value, [{ on: true }, { on: false }]);
  deepEqual(mistakes(shape, { on: 1 }), ['/on: must be true or false: 1']);
  deepEqual(mistakes(shape, [{ on: 1 }]), ['/0/on: must be true or false: 1']);
  deepEqual(mistakes(shape, 'x'), [': must be an array: "x"']);
});

test('map takes any key, so many of them', () => {
  const shape = map(flag(), { max: 2 });
  deepEqual(read(shape, { a: true, 'b/c': false }), { value: { a: true, 'b/c': false }, problems: [] });
  deepEqual(mistakes(shape, { 'b/c': 0 }), ['/b~1c: must be true or false: 0']);
  deepEqual(mistakes(shape, { a: true, b: true, c: true }), [': must have at most 2 keys: it has 3']);
  deepEqual(mistakes(shape, []), [': must be an object: an array']);
});

test('text keeps to its pattern and says what it stands for', () => {
  const name = text({ pattern: /^[a-z]+$/, what: 'lower-case letters' });
  deepEqual(mistakes(name, 'abc'), []);
  deepEqual(mistakes(name, 'aB'), [': must be lower-case letters: "aB"']);
  deepEqual(mistakes(text({ pattern: /^a$/ }), 'b'), [': must be a text like ^a$: "b"']);
  deepEqual(mistakes(text({ max: 2 }), 'abc'), [': must have at most 2 characters: it has 3']);
});

test('integer takes whole numbers of its range only', () => {
  const shape = integer({ min: -1, max: 2 ** 31 });
  for (const value of [-1, 0, -0, 2 ** 31]) deepEqual(mistakes(shape, value), []);
  for (const value of [-2, 0.5, 2 ** 53, 1e300, '1', true, null]) equal(mistakes(shape, value).length, 1);
});

test('unread leaves the value to whoever knows it', () => {
  deepEqual(read(unread({ type: 'object' }), { any: ['thing'] }), {
    value: { any: ['thing'] },
    problems: [],
  });
});

test('shapes throw for no value and add no more mistakes than they may', () => {
  const shape = array(rule, { max: 50 });
  fc.assert(
    fc.property(fc.array(fc.anything(), { maxLength: 40 }), (value) => {
      const fields = 6;
      equal(read(shape, value).problems.length <= problemsMax + fields, true);
    }),
    { numRuns: 300 },
  );
});

test('object takes null for an optional field, and an empty unknown one, as left out', () => {
  const shape = object({
    name: text(),
    size: optional(integer({ min: 0, max: 9 })),
    note: optional(nullable(text())),
  });
  const problems: Problem[] = [];
  const empty = { size: null, note: null, labels: [], extra: {}, other: '', nothing: null };
  deepEqual(shape.read({ name: 'a', ...empty }, '', problems), { name: 'a', note: null });
  deepEqual(problems, []);
  // A value that may mean something, or a name close to a field, is a mistake.
  deepEqual(mistakes(shape, { name: 'a', enabled: false, count: 0, siez: '' }), [
    '/enabled: is not a known field',
    '/count: is not a known field',
    '/siez: is not a known field: did you mean size?',
  ]);
  deepEqual(mistakes(shape, { name: null }), ['/name: must be a string: null']);
});

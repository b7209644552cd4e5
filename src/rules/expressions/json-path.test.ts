import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findInJson, type PathKey } from './json-path.ts';
import { bytesOf } from '#text';

test('findInJson finds what JSON.parse finds, at every path', () => {
  const space = fc.constantFrom(undefined, 1, '\t');
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), space, (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      for (const { path, found } of pathsOf(JSON.parse(text))) {
        assert.deepEqual(JSON.parse(findInJson(bytesOf(text), path)!), found);
      }
    }),
  );
});

function* pathsOf(
  value: unknown,
  path: readonly PathKey[] = [],
): Generator<{ path: readonly PathKey[]; found: unknown }> {
  yield { path, found: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : bytesOf(key)]);
  }
}

test('findInJson returns the last of several members with one name', () => {
  assert.equal(findInJson('{"a":1,"\\u0061":2}', ['a']), '2');
});

test('findInJson finds nothing in text that is not JSON or not UTF-8, or at a missing path', () => {
  assert.equal(findInJson('{"a":1', ['a']), undefined);
  assert.equal(findInJson('"\xff"', []), undefined);
  assert.equal(findInJson('{"a":[1]}', ['a', 1]), undefined);
  assert.equal(findInJson('{"a":[1]}', ['a', 'b']), undefined);
  assert.equal(findInJson(undefined, ['a']), undefined);
  assert.equal(findInJson('{}', [undefined]), undefined);
});

test('findInJson does not recurse into a deep text', () => {
  const depth = 20_000;
  const text = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  assert.equal(findInJson(text, [0, 0])?.length, text.length - 4);
});

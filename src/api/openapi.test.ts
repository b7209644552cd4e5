import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from './openapi.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { Router } from './router.ts';

const document = openApiDocument();
const rows = Object.entries<Operation>(operations);
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, { operationId }]) => `${method.toUpperCase()} ${path} ${String(operationId)}`,
  ),
);

/** Every part of the document that is a JSON object. */
function* objectsIn(value: unknown, pointer = ''): Generator<[pointer: string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Record<string, unknown>];
  for (const [key, each] of Object.entries(value)) yield* objectsIn(each, `${pointer}/${key}`);
}

test('openApiDocument validates as OpenAPI 3.1', async () => {
  const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
  const { valid, errors } = await new Validator().validate(plain);
  equal(valid, true, JSON.stringify(errors));
});

test('openApiDocument and the router have the same routes', () => {
  deepEqual(described.toSorted(), rows.map(([id, { method, path }]) => `${method} ${path} ${id}`).toSorted());
  const router = new Router<string>(operations);
  for (const [id, { method, path, segments }] of rows) {
    if (Object.keys(segments).length > 0) continue;
    const found = router.find(method, path.replace(/\{\w+\}/g, '0'.repeat(32)));
    equal(found.kind === 'found' && found.id, id);
  }
});

test('openApiDocument has no two paths that differ in the names of their parameters only', () => {
  const patterns = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
  const literal = (pattern: string): boolean => patterns.indexOf(pattern) !== patterns.lastIndexOf(pattern);
  deepEqual(patterns.filter(literal), []);
});

test('openApiDocument puts the server in and makes the rest once', () => {
  const other = openApiDocument({ serverUrl: 'https://api.example.com/client/v4' });
  deepEqual(other.servers, [{ url: 'https://api.example.com/client/v4' }]);
  deepEqual(document.servers, [{ url: '/client/v4' }]);
  equal(other.paths, document.paths);
});

test('openApiDocument says which permission a token needs and marks what is ours', () => {
  for (const [, { path, method, isOurs, permissions }] of rows) {
    const row = document.paths[path]![method.toLowerCase()]!;
    equal(row['x-gatehouse-ours'] === true, isOurs);
    equal(String(row['description']).startsWith('A token needs'), permissions.length > 0);
  }
});

test('openApiDocument requires only properties that it describes', () => {
  for (const [pointer, { required, properties, type }] of objectsIn(document)) {
    if (!Array.isArray(required)) continue;
    equal(type, 'object', pointer);
    for (const name of required) {
      ok(Object.hasOwn(properties ?? {}, name as string), `${pointer} requires ${String(name)}`);
    }
  }
});

test('openApiDocument has schemas that compile, with defaults and examples that fit them', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const { components } = document;
  for (const [pointer, schema] of objectsIn(document)) {
    if (/\/(?:schema|items)$/.test(pointer)) ajv.compile({ ...schema, components });
    for (const value of [schema['default'], ...[schema['examples'] ?? []].flat()]) {
      if (value === undefined || typeof schema['type'] !== 'string') continue;
      equal(ajv.validate(schema, value), true, `${pointer}: ${ajv.errorsText()}`);
    }
  }
});

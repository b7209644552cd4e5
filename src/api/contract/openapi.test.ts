import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Code } from './code.ts';
import { codeFamilies } from './codes.ts';
import { authCodes } from './codes/auth.ts';
import { firewallRuleCodes } from './codes/firewall-rules.ts';
import { genericCodes } from './codes/generic.ts';
import { operatorCodes } from './codes/operator.ts';
import { openApiDocument } from './openapi.ts';
import { methodName } from './openapi/operation-object.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { operatorOperations } from './operations/operator.ts';
import { storyOperations } from './operations/objects/stories.ts';
import { refusalsOf } from './refusals.ts';
import { Router } from './router.ts';

const document = openApiDocument();
const rows = Object.entries<Operation>(operations);
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, { operationId }]) => `${method.toUpperCase()} ${path} ${String(operationId)}`,
  ),
);

type Json = Readonly<Record<string, unknown>>;

/** Every part of the document that is a JSON object. */
function* objectsIn(value: unknown, pointer = ''): Generator<[pointer: string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Json];
  for (const [key, each] of Object.entries(value)) yield* objectsIn(each, `${pointer}/${key}`);
}

/** Pointers to errors. The members of `properties` are schemas, even if they are called `type` or `enum`. */
function offenders(isWrong: (schema: Json, pointer: string) => boolean): string[] {
  return [...objectsIn(document)].flatMap(([pointer, schema]) =>
    !pointer.endsWith('/properties') && isWrong(schema, pointer) ? [pointer] : [],
  );
}

const operationObjects = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('openApiDocument validates as OpenAPI 3.1', async () => {
  const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
  const { valid, errors } = await new Validator().validate(plain);
  equal(valid, true, JSON.stringify(errors));
});

test('openApiDocument and the router have the same routes', () => {
  deepEqual(
    described.toSorted(),
    rows.map(([id, { method, path }]) => `${method} ${path} ${methodName(id)}`).toSorted(),
  );
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
  equal(other.servers[0]!.url, 'https://api.example.com/client/v4');
  equal(document.servers[0]!.url, '/client/v4');
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
    if (!Array.isArray(required) || pointer.endsWith('/properties')) continue;
    equal(type, 'object', pointer);
    for (const name of required) {
      ok(Object.hasOwn(properties ?? {}, name as string), `${pointer} requires ${String(name)}`);
    }
  }
});

test('openApiDocument has schemas that compile, with defaults and examples that fit them', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const { components } = document;
  const schemas = [...objectsIn(document)].filter(([pointer]) => /\/(?:schema|items)$/.test(pointer));
  // Together, because separately each of them would compile the schemas that it refers to again.
  ajv.compile({ components, anyOf: schemas.map(([, schema]) => schema) });
  for (const [pointer, schema] of objectsIn(document)) {
    for (const value of [schema['default'], ...[schema['examples'] ?? []].flat()]) {
      if (value === undefined || typeof schema['type'] !== 'string') continue;
      equal(ajv.validate(schema, value), true, `${pointer}: ${ajv.errorsText()}`);
    }
  }
});

// The requirements of linters (spectral, redocly) and generators of clients; `npm run verify -- openapi` runs the real
// ones.

test('openApiDocument names every object that has properties', () => {
  const isNamed = /^\/components\/schemas\/\w+$/;
  deepEqual(
    offenders(({ properties }, pointer) => {
      if (typeof properties !== 'object' || pointer.endsWith('/x-gatehouse-item')) return false;
      return !isNamed.test(pointer);
    }),
    [],
  );
});

test('openApiDocument gives each array its items, and each enumeration and constant its type', () => {
  deepEqual(
    offenders(({ type, items }) => [type].flat().includes('array') && typeof items !== 'object'),
    [],
  );
  deepEqual(
    offenders((schema) => ('enum' in schema || 'const' in schema) && typeof schema['type'] !== 'string'),
    [],
  );
});

test('openApiDocument has no default in a body: generators take what has one as always there', () => {
  deepEqual(
    offenders((schema, pointer) => pointer.startsWith('/components/schemas/') && 'default' in schema),
    [],
  );
});

test('openApiDocument has no name that leads nowhere, and none that nobody follows', () => {
  const references = [...objectsIn(document)].flatMap(([, { $ref }]) =>
    typeof $ref === 'string' ? [$ref] : [],
  );
  const { schemas, responses } = document.components;
  const names = [
    ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
    ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
  ];
  deepEqual([...new Set(references)].toSorted(), names.toSorted());
});

test('openApiDocument calls operations by names that any language can have', () => {
  const ids = operationObjects.map(({ operationId }) => String(operationId));
  deepEqual(
    ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id)),
    [],
  );
  const folded = ids.map((id) => id.toLowerCase());
  equal(new Set(folded).size, folded.length, 'two names differ in case only');
});

test('openApiDocument says what each tag and each way to authenticate is, and uses all of them', () => {
  const used = new Set(operationObjects.flatMap(({ tags }) => tags as string[]));
  deepEqual(document.tags.map(({ name }) => name).toSorted(), [...used].toSorted());
  for (const { name, description } of document.tags) ok(description.endsWith('.'), name);
  const schemes = document.components.securitySchemes as Readonly<Record<string, Json>>;
  for (const [name, { description }] of Object.entries(schemes)) ok(String(description).endsWith('.'), name);
  deepEqual([...new Set(document.security.flatMap(Object.keys))].toSorted(), Object.keys(schemes).toSorted());
});

test('openApiDocument lists what each operation answers, with the codes of every refusal', () => {
  for (const [id, row] of rows) {
    const { responses } = document.paths[row.path]![row.method.toLowerCase()] as { responses: Json };
    const statuses = new Set(refusalsOf(row).map(({ status }) => String(status)));
    // 503: part of the data is out of service, which clients treat like a refusal.
    for (const status of statuses)
      ok(status.startsWith('4') || status === '503', `${id} lists a code with the status ${status}`);
    const success = row.result === null ? '204' : String(row.status);
    deepEqual(new Set(Object.keys(responses)), new Set([success, ...statuses, 'default']), id);
  }
});

test('every code of a refusal is in the row of an operation, or is answered before there is one', () => {
  const others = [...Object.values(operatorOperations), ...Object.values(storyOperations)];
  const everyRow = [...rows.map(([, row]) => row), ...others];
  const listed = new Set(everyRow.flatMap((row) => refusalsOf(row)));
  const before = new Set([
    operatorCodes.operatorNotServed,
    genericCodes.methodNotAllowed,
    genericCodes.malformedHttp,
    genericCodes.requestTimeout,
    genericCodes.expectationFailed,
    genericCodes.targetTooLong,
    genericCodes.headersTooLarge,
    // Only for the page, which has a cookie; the document describes calls of programs.
    authCodes.sessionEnded,
    authCodes.csrfTokenMissing,
  ]);
  // Only in `error_chain` and `messages` of other errors.
  const within = new Set([
    authCodes.emailMalformed,
    authCodes.keyMalformed,
    authCodes.authorizationMalformed,
    authCodes.credentialsConflicting,
    firewallRuleCodes.ruleFilterKept,
  ]);
  const known = new Set<Code>([...listed, ...before, ...within]);
  const unlisted = Object.values(codeFamilies).flatMap((family) =>
    Object.entries(family).flatMap(([name, code]) => {
      const isRefusal = code.status >= 400 && code.status < 500;
      return isRefusal && !known.has(code) ? [name] : [];
    }),
  );
  deepEqual(unlisted, []);
});

test('openApiDocument gives each page its smallest, largest and usual size', () => {
  const parameters = operationObjects.flatMap(
    (each) => each['parameters'] as { name: string; schema: Json }[],
  );
  const sizes = parameters.filter(({ name }) => name === 'per_page');
  ok(sizes.length > 10);
  for (const { schema } of sizes) {
    for (const bound of ['minimum', 'maximum', 'default']) equal(typeof schema[bound], 'number');
  }
});

import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { operation, type Operation } from './operation.ts';
import { operations } from './operations.ts';
import { identifier, Router } from './router.ts';
import { json } from '#shapes';

const router = new Router<string>(operations);
const rows = Object.entries<Operation>(operations);

/** A path of the row, and the values in it. */
function exampleOf({
  path,
  segments,
}: Operation): fc.Arbitrary<{ path: string; names: Record<string, string> }> {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  const values = names.map((name) => fc.stringMatching(segments[name] ?? identifier));
  return fc.tuple(...values).map((given) => {
    const byName = Object.fromEntries(names.map((name, index) => [name, given[index]!]));
    return { path: path.replace(/\{(\w+)\}/g, (_, name: string) => byName[name]!), names: byName };
  });
}

test('Router finds every operation by its own path, with the names in it', () => {
  for (const [id, row] of rows) {
    fc.assert(
      fc.property(exampleOf(row), ({ path, names }) => {
        const found = router.find(row.method, path);
        equal(found.kind, 'found', `${row.method} ${path}`);
        if (found.kind === 'found') deepEqual([found.id, { ...found.path }], [id, names]);
      }),
      { numRuns: 5 },
    );
  }
});

test('Router does not take another spelling of a path', () => {
  const tricks: ((path: string) => string)[] = [
    (path) => path.slice(1),
    (path) => `x${path.slice(1)}`,
    (path) => `/${path}`,
    (path) => `${path}/`,
    (path) => `${path}//`,
    (path) => `${path}/.`,
    (path) => `${path}/..`,
    (path) => `/.${path}`,
    (path) => `/x/..${path}`,
    (path) => `${path};a=b`,
    (path) => `${path}?`,
    (path) => `${path}#`,
    (path) => `${path}\n`,
    (path) => `${path}\0`,
    (path) => `${path} `,
    (path) => `${path}%20`,
    (path) => path.replace(/\/([^/]+)$/, '//$1'),
    (path) => path.replace(/\/([^/]+)$/, '/./$1'),
    (path) => path.replace(/\/([^/]+)$/, '%2f$1'),
    (path) => path.replace(/\/([^/]+)$/, '%2F$1'),
    (path) => path.replace(/\/([^/]+)$/, '\\$1'),
    (path) => path.replace(/^\/(.)/, (_, first: string) => `/%${first.charCodeAt(0).toString(16)}`),
    (path) => path.replace(/^\/[a-z]+/, (first) => first.toUpperCase()),
    (path) => path.replace(/^\/[a-z]/, (first) => `/${String.fromCodePoint(first.charCodeAt(1) + 0xfee0)}`),
    (path) => path.replace(/^\/(.)/, '/$1\u0301'),
  ];
  // The parameter for the key of a value may have any spelling.
  for (const [, row] of rows.filter(
    ([, { path }]) => !/\{key_name\}|\/objects(?:$|\/\{object_key)/.test(path),
  )) {
    fc.assert(
      fc.property(exampleOf(row), fc.constantFrom(...tricks), ({ path }, trick) => {
        equal(router.find(row.method, trick(path)).kind, 'none', trick(path));
      }),
      { numRuns: 2 * tricks.length },
    );
  }
});

test('Router takes identifiers of exactly 32 lower-case hexadecimal digits', () => {
  const one = new Router({ 'a.get': getA });
  const find = (id: string): string => one.find('GET', `/a/${id}`).kind;
  const digits = '0123456789abcdef0123456789abcdef';
  equal(find(digits), 'found');
  const wrong = [
    '',
    digits.toUpperCase(),
    digits.slice(1),
    `${digits}0`,
    `${digits.slice(1)}g`,
    `${digits}\n`,
    '..',
  ];
  for (const id of wrong) equal(find(id), 'none', id);
});

const row = { summary: '', api: 'a', permissions: [], result: json } as const;
const getA = operation('GET /a/{a_id}', row);

test('Router tells a wrong method from a wrong path', () => {
  const two = new Router({ 'a.get': getA, 'a.put': operation('PUT /a/{a_id}', row) });
  const path = `/a/${'0'.repeat(32)}`;
  deepEqual(two.find('POST', path), { kind: 'wrong-method', allowed: ['GET', 'PUT'] });
  deepEqual(two.find('get', path), { kind: 'wrong-method', allowed: ['GET', 'PUT'] });
  deepEqual(two.find('GET', '/a'), { kind: 'none' });
});

test('Router prefers a word to a name, and comes back when the word leads nowhere', () => {
  const segments = { name: /^[a-z]+$/ };
  const both = new Router({
    'a.word': operation('GET /a/word/x', row),
    'a.name': operation('GET /a/{name}/y', { ...row, segments }),
    'a.one': operation('GET /a/{name}/x', { ...row, segments }),
  });
  const idOf = (path: string): string => {
    const found = both.find('GET', path);
    return found.kind === 'found' ? found.id : found.kind;
  };
  deepEqual(['/a/word/x', '/a/word/y', '/a/other/x'].map(idOf), ['a.word', 'a.name', 'a.one']);
});

test('Router refuses two operations of one route', () => {
  throws(() => new Router({ 'a.get': getA, 'a.read': getA }), /one route: a.read/);
});

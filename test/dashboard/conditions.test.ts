/** Conditions of the builder as text and back, with the server's parser. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse, scheme, toJson } from '#expressions';
import {
  type Groups,
  readGroups,
  writeGroups,
} from '../../src/browser/page/parts/expression-editor/conditions.ts';

const types = new Map(Array.from(scheme.fields.values(), ({ name, type }) => [name, type.kind]));

function readBack(text: string): Groups | undefined {
  const parsed = parse(text);
  ok(parsed.ok, text);
  return readGroups(toJson(parsed.tree), types);
}

test('conditions of the builder are the same after writing and reading them, whatever the text', () => {
  const character = fc.constantFrom('a', '"', '\\', '#', '\0', '\n', 'é', '😀', '$', ',', ' ', '{', '*');
  const texts = fc.string({ unit: character, minLength: 1, maxLength: 12 });
  const operators = fc.constantFrom('eq', 'ne', 'contains', 'not contains');
  fc.assert(
    fc.property(fc.array(fc.tuple(operators, texts), { minLength: 1, maxLength: 4 }), (rows) => {
      const group = rows
        .filter(([, value]) => value.trim() !== '')
        .map(([operator, value]) => ({ field: 'http.host', type: 'Bytes' as const, operator, value }));
      fc.pre(group.length > 0);
      deepEqual(readBack(writeGroups([group, group])), [group, group]);
    }),
  );
});

test('conditions of every kind turn into text and back', () => {
  const groups: Groups = [
    [
      { field: 'ip.src', type: 'Ip', operator: 'not in', value: '10.0.0.0/8, 192.0.2.1..192.0.2.9' },
      { field: 'ip.src.asnum', type: 'Int', operator: 'in', value: '1, 5..9' },
      { field: 'ssl', type: 'Bool', operator: 'false', value: '' },
    ],
    [
      { field: 'http.request.uri.path', type: 'Bytes', operator: 'matches', value: '^/a\\.b"#x' },
      { field: 'http.host', type: 'Bytes', operator: 'wildcard', value: '*.a.example' },
      { field: 'ip.src', type: 'Ip', operator: 'in list', value: 'office' },
      { field: 'ip.src.asnum', type: 'Int', operator: 'ge', value: '7' },
    ],
  ];
  deepEqual(readBack(writeGroups(groups)), groups);
});

test('readGroups leaves to the text what the builder cannot show', () => {
  for (const text of [
    'ssl and (ssl or ssl)',
    'not (ssl and ssl)',
    'lower(http.host) eq "a"',
    'any(http.request.headers["a"][*] eq "b")',
    'http.host in {"a,b"}',
    'http.host eq 61:ff',
  ]) {
    equal(readBack(text), undefined, text);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheme } from './full-scheme.ts';
import { parse } from './parse/parse.ts';
import { defineField } from './scheme.ts';
import { intType, type Type } from './types.ts';
import { Ip } from '#addresses';
import type { Value } from './values.ts';

function fits(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'Bool':
      return typeof value === 'boolean';
    case 'Int':
      return typeof value === 'number';
    case 'Ip':
      return value instanceof Ip;
    case 'Bytes':
      return typeof value === 'string';
    case 'Array':
      return Array.isArray(value);
    default:
      return value instanceof Map;
  }
}

test('scheme gives every field a default of its type, a key and a sentence', () => {
  for (const [name, field] of scheme.fields) {
    assert.equal(field.name, name);
    assert.ok(fits(field.default, field.type), name);
    assert.match(field.summary, /\.$/, name);
    assert.equal(field.key, field.replacedBy ?? name);
    assert.equal(scheme.fields.get(field.key)?.type, field.type);
  }
});

test('scheme has no duplicate names, and only names that the grammar allows', () => {
  for (const name of scheme.functions.keys()) assert.equal(scheme.fields.has(name), false, name);
  for (const name of [...scheme.fields.keys(), ...scheme.functions.keys()]) {
    assert.match(name, /^(?!not)[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/);
  }
});

test('scheme has harmless defaults for scores', () => {
  for (const [name, value] of [
    ['cf.bot_management.score', 99],
    ['cf.waf.score', 100],
    ['cf.llm.prompt.injection_score', 100],
  ] as const) {
    assert.equal(scheme.fields.get(name)?.default, value);
  }
});

test('Scheme.with adds names and leaves the old scheme as it is', () => {
  const larger = scheme.with({ fields: [defineField('my.count', intType)] });
  assert.ok(parse('my.count gt 1', { scheme: larger }).ok);
  assert.ok(!parse('my.count gt 1').ok);
});

import { deepEqual, equal } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { codeFamilies } from '#contract';
import { errorCodesPage, writeErrorCodes } from './error-codes.ts';

const source = new URL('../src/', import.meta.url);
const families = new URL('api/contract/codes/', source);
const named = Object.values(codeFamilies).flatMap((family) => Object.entries(family));

test('error-codes: docs/reference/error-codes.md is up to date', () => {
  equal(readFileSync(errorCodesPage, 'utf8'), writeErrorCodes(), 'run: node tools/error-codes.ts');
});

test('error-codes: every family is in the catalogue', async () => {
  const known = new Set<unknown>(Object.values(codeFamilies));
  const missing: string[] = [];
  for (const file of readdirSync(families)) {
    const exported = (await import(new URL(file, families).href)) as object;
    for (const [name, family] of Object.entries(exported))
      if (!known.has(family)) missing.push(`${file}: ${name}`);
  }
  deepEqual(missing, []);
});

test('error-codes: no two names mean the same, and no status is 409, which clients would try again', () => {
  const texts = named.map(([, { code, message }]) => `${code} ${message}`);
  deepEqual(
    texts.filter((text, index) => texts.indexOf(text) !== index),
    [],
  );
  const names = named.map(([name]) => name);
  deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  deepEqual(
    named.filter(([, { status }]) => (status < 400 && status !== 200) || status === 409),
    [],
  );
});

test('error-codes: every code says what to do, and is used', () => {
  const program = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('api/contract/codes/'),
    )
    .map((name) => readFileSync(new URL(name, source), 'utf8'))
    .join('\n');
  const words = new Set(program.match(/\w+/g));
  // Another room checks rulesets, and spells names differently.
  const isFound = (name: string, code: number): boolean => {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return new RegExp(`\\b${snake}: \\{\\s*code: ${code}\\b`).test(program);
  };
  deepEqual(
    named.filter(([name, { code }]) => !words.has(name) && !isFound(name, code)).map(([name]) => name),
    [],
  );
  deepEqual(
    named.filter(([, { advice }]) => !/\S.*[.!]$/s.test(advice)).map(([name]) => name),
    [],
  );
});

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { tokenize, unquote } from './tokens.ts';

const cut = (sql: string): string[] => tokenize(sql).map(({ kind, text }) => `${kind} ${text}`);

test('tokenize tells words, quoted names, strings, blobs, numbers and operators apart', () => {
  deepEqual(cut(`SELECT "a""b", [c d], \`e\`, 'it''s', x'0aFF' FROM t_$1`), [
    'word SELECT',
    'quoted "a""b"',
    'punctuation ,',
    'quoted [c d]',
    'punctuation ,',
    'quoted `e`',
    'punctuation ,',
    "string 'it''s'",
    'punctuation ,',
    "blob x'0aFF'",
    'word FROM',
    'word t_$1',
  ]);
  deepEqual(cut('1 1.5 .5 1. 1e10 1E-3 0x1F 1_000'), [
    'number 1',
    'number 1.5',
    'number .5',
    'number 1.',
    'number 1e10',
    'number 1E-3',
    'number 0x1F',
    'number 1_000',
  ]);
  deepEqual(cut('a->>b->c||d<>e!=f==g<=h>>i'), [
    'word a',
    'punctuation ->>',
    'word b',
    'punctuation ->',
    'word c',
    'punctuation ||',
    'word d',
    'punctuation <>',
    'word e',
    'punctuation !=',
    'word f',
    'punctuation ==',
    'word g',
    'punctuation <=',
    'word h',
    'punctuation >>',
    'word i',
  ]);
});

test('tokenize knows all forms of variables', () => {
  deepEqual(cut('? ?12 :a @b $c #d $e::f(g h) $e::f(gh)'), [
    'variable ?',
    'variable ?12',
    'variable :a',
    'variable @b',
    'variable $c',
    'variable #d',
    'illegal $e::f(g',
    'word h',
    'punctuation )',
    'variable $e::f(gh)',
  ]);
});

test('tokenize drops comments and white space, closed or not', () => {
  deepEqual(cut('\uFEFFa--b;\'\n/* c; " */d\t\f\r\n/*e'), ['word a', 'word d']);
  deepEqual(cut('a/*'), ['word a', 'punctuation /', 'punctuation *']);
  deepEqual(cut('-- only a comment'), []);
});

test('tokenize makes what is never closed, or never valid, illegal', () => {
  deepEqual(cut(`a 'b; c`), ['word a', `illegal 'b; c`]);
  deepEqual(cut('a "b'), ['word a', 'illegal "b']);
  deepEqual(cut('[b'), ['illegal [b']);
  deepEqual(cut(`x'0' x'zz' 1abc 0x 1e ! @ : \\`), [
    `illegal x'0'`,
    `illegal x'zz'`,
    'illegal 1abc',
    'illegal 0x',
    'illegal 1e',
    'illegal !',
    'illegal @',
    'illegal :',
    'illegal \\',
  ]);
});

test('tokenize takes every character beyond ASCII for a letter', () => {
  deepEqual(cut('été 😀=1'), ['word été', 'word 😀', 'punctuation =', 'number 1']);
});

test('tokenize gives the places of tokens in the text', () => {
  deepEqual(
    tokenize(' a /*x*/ ; ').map(({ start, end }) => [start, end]),
    [
      [1, 2],
      [9, 10],
    ],
  );
});

test('unquote gives the name that was meant', () => {
  const names = tokenize(`a "b""c" [d] \`e\`\`f\` 'g''h'`).map(unquote);
  deepEqual(names, ['a', 'b"c', 'd', 'e`f', "g'h"]);
});

test('tokenize takes time in proportion to the text', () => {
  const long = `SELECT ${"'a', ".repeat(20_000)} ${'/* '.repeat(10_000)}`;
  equal(tokenize(long).length, 40_001);
});

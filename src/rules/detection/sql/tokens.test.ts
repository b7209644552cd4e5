import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { type SqlToken, SqlTokens } from './tokens.ts';

function listTokens(text: string, from = 0): readonly SqlToken[] {
  const tokens = new SqlTokens(text, from);
  const list: SqlToken[] = [];
  for (let token = tokens.get(0); token !== undefined; token = tokens.get(list.length)) list.push(token);
  return list;
}

function write(text: string): string {
  return listTokens(text)
    .map(({ type, text: read, isOpen }) => `${type}:${read}${isOpen === true ? '…' : ''}`)
    .join(' ');
}

test('SqlTokens reads words, numbers, strings, variables and operators of all dialects', () => {
  for (const [text, tokens] of [
    ['SELECT a_1$,b.c FROM t;', 'word:select word:a_1$ ,:, word:b .:. word:c word:from word:t ;:;'],
    [
      '1 12. .5 1.5e-3 2E+1 3e 0x1F 0XG 0b10 0b2',
      'number:1 number:12. number:.5 number:1.5e-3 number:2E+1 number:3 word:e number:0x1F number:0 word:xg number:0b10 number:0 word:b2',
    ],
    [`'it''s' 'a\\'b' "q" 'open`, `string:it''s string:a\\'b string:q string:open…`],
    ["N'a' x'41' e'b' ab'c'", 'string:a string:41 string:b word:ab string:c'],
    [
      '@a @@Version @`a b` @> @ @@>',
      'variable:@a variable:@@version variable:@`a b` operator:@> variable:@ variable:@ operator:@>',
    ],
    ['`Name` [Other]', 'word:`name word:`other'],
    ['$$text$$ $1', 'string:text operator:$ number:1'],
    [
      'a<=>b<>c->>d->e::f||g&&h!=i:=j',
      'word:a operator:<=> word:b operator:<> word:c operator:->> word:d operator:-> word:e operator::: word:f operator:|| word:g operator:&& word:h operator:!= word:i operator::= word:j',
    ],
    [
      '<@ @> << >> <= >= ! ~ ? %',
      'operator:<@ operator:@> operator:<< operator:>> operator:<= operator:>= operator:! operator:~ operator:? operator:%',
    ],
    ['\xe9t\xe9\xa0x', 'word:\xe9t\xe9 word:x'],
  ] as const) {
    equal(write(text), tokens, text);
  }
});

test('SqlTokens takes comments for spaces unless they end the text, and reads those of MySQL', () => {
  for (const [text, tokens] of [
    ['a/* b */c', 'word:a word:c'],
    ['a -- b\nc', 'word:a word:c'],
    ['a # b\nc # d', 'word:a word:c comment:'],
    ['a /* b', 'word:a comment:'],
    ['a /*!50000union*/ b', 'word:a word:union word:b'],
    ['a /*!1234567b', 'word:a number:7 word:b'],
    ['*/ a', 'word:a'],
  ] as const) {
    equal(write(text), tokens, text);
  }
});

test('SqlTokens ends at what no token begins with, and at a name in brackets that has no end', () => {
  for (const [text, tokens] of [
    ['a { b', 'word:a'],
    ['a \\ b', 'word:a'],
    ['a [b', 'word:a'],
  ] as const) {
    equal(write(text), tokens, text);
  }
});

test('SqlTokens says where tokens stand, from any place on', () => {
  const text = "x' OR 1";
  deepEqual(listTokens(text, 2), [
    { type: 'word', text: 'or', start: 3, end: 5 },
    { type: 'number', text: '1', start: 6, end: 7 },
  ]);
});

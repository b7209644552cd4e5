import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '#base';
import { looksLikeJson, withoutJsonEscapes } from './json-escapes.ts';

test('withoutJsonEscapes gives the text that the reader of the document sees', () => {
  for (const [escaped, text] of [
    [String.raw`{"id":"1\u0027 \u0075nion"}`, `{"id":"1' union"}`],
    [String.raw`"\u003cscript\u003e<\/script>"`, '"<script></script>"'],
    [String.raw`"a\\u0027"`, String.raw`"a\u0027"`],
    [String.raw`"\ud83d\ude00 \u00e9"`, bytesOf('"😀 é"')],
    [String.raw`"\ud83d"`, bytesOf('"\ufffd"')],
    [String.raw`"\x \u12"`, String.raw`"\x \u12"`],
    ['"plain"', '"plain"'],
  ] as const) {
    equal(withoutJsonEscapes(escaped), text, escaped);
  }
});

test('withoutJsonEscapes is done with a body full of escapes in a moment', () => {
  const startedMs = performance.now();
  equal(withoutJsonEscapes(String.raw`\u0041`.repeat(21_000)).length, 21_000);
  equal(withoutJsonEscapes('\\'.repeat(131_072)).length, 65_536);
  equal(performance.now() - startedMs < 500, true);
});

test('looksLikeJson goes by the type, or by how the body begins', () => {
  equal(looksLikeJson('application/json', 'x'), true);
  equal(looksLikeJson('application/problem+json', 'x'), true);
  equal(looksLikeJson('text/plain', ' {"a":1}'), true);
  equal(looksLikeJson('text/plain', 'a\\nb'), false);
});

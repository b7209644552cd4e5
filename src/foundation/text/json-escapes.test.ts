import { checkLinear } from '../../../tools/count-work.ts';
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from './binary-string.ts';
import { decodeAllEscapes, decodeJsonEscapes } from './json-escapes.ts';

test('decodeJsonEscapes returns the text that a JSON parser sees', () => {
  for (const [escaped, text] of [
    [String.raw`{"id":"1\u0027 \u0075nion"}`, `{"id":"1' union"}`],
    [String.raw`"\u003cscript\u003e<\/script>"`, '"<script></script>"'],
    [String.raw`"a\\u0027"`, String.raw`"a\u0027"`],
    [String.raw`"\ud83d\ude00 \u00e9"`, bytesOf('"😀 é"')],
    [String.raw`"\ud83d"`, bytesOf('"\ufffd"')],
    [String.raw`"\x \u12"`, String.raw`"\x \u12"`],
    ['"plain"', '"plain"'],
  ] as const) {
    equal(decodeJsonEscapes(escaped), text, escaped);
  }
});

test('decodeAllEscapes takes any sign behind a backslash for itself', () => {
  for (const [escaped, text] of [
    [String.raw`1\' \x \u12 \\`, String.raw`1' x u12 ` + '\\'],
    [String.raw`\u0027\U0027\n`, "''\n"],
    [String.raw`\ud83d\ude00 \ud83d \ude00 \u20ac`, bytesOf('😀 \ufffd \ufffd €')],
  ] as const) {
    equal(decodeAllEscapes(escaped), text, escaped);
  }
});

test('decodeJsonEscapes takes a number of steps proportional to a body full of escapes', () => {
  const escapes = (count: number) => () =>
    equal(decodeJsonEscapes(String.raw`\u0041`.repeat(count)).length, count);
  checkLinear('escapes', escapes, [2_625, 21_000]);
  const backslashes = (count: number) => () => equal(decodeJsonEscapes('\\'.repeat(count)).length, count / 2);
  checkLinear('backslashes', backslashes, [16_384, 131_072]);
});

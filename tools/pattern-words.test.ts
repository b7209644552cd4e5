import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listWords, patternWordsFile, writePatternWords } from './pattern-words.ts';

test('pattern-words: src/rules/detection/pattern-words.json is up to date', () => {
  // Compared as a flag: a difference of 20 KB is unreadable.
  ok(readFileSync(patternWordsFile, 'utf8') === writePatternWords(), 'run: npm run generate');
});

test('listWords finds words that stand in all that a pattern of JavaScript matches', () => {
  for (const [pattern, words] of [
    [/\b(?:eval|assert)\s?\(/, ['assert', 'eval']],
    [/UNSAFE_|@java\.lang/i, ['@java.la', 'unsafe_']],
    // Spaces include characters beyond ASCII, everywhere.
    [/ab\scd|ef[\s"]gh|ij[^\s]kl/, ['ab', 'ef', 'ij']],
    // Any character, and a bracket that does not end a class.
    [/^a[^]{0,9}(?:popen|exec)[\]x]y$/, ['exec', 'popen']],
    // An opening bracket in a class is an ordinary character, and the first closing one ends the class.
    [/[a[^]word[)]other/, ['[word)ot', '^word)ot', 'aword)ot']],
    // Bytes beyond ASCII have no upper case.
    [/\xc3\x84\xd0/, ['\xc3\x84\xd0']],
    [/[[({<]end[^[]/, ['(end', '<end', '[end', '{end']],
  ] as const) {
    deepEqual(listWords(pattern), words, String(pattern));
  }
  for (const pattern of [/`[^`]{1,9}`/, /\bx?\w+/, /(?<=a{1,2})word/])
    deepEqual(listWords(pattern), undefined);
});

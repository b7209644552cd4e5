import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { Recurrence, sampleText } from './recurrence.ts';

test('Recurrence knows a text that came before, and takes none for known that differs by one character', () => {
  const recurrence = new Recurrence();
  const cookie = (number: number): string => `GA1.2.${number}.1700000000; theme=dark`;
  for (let number = 1_000; number < 1_100; number++) {
    equal(recurrence.comesAgain(sampleText(cookie(number))), false);
    equal(recurrence.comesAgain(sampleText(cookie(number))), true);
  }
});

test('sampleText looks at both ends of a long text, and at little of it', () => {
  const long = 'a'.repeat(100_000);
  equal(sampleText(long), sampleText('a'.repeat(100_000)));
  equal(sampleText(`${long}b`) === sampleText(`${long}c`), false);
  equal(sampleText(`${long}b`) === sampleText(`${long.slice(1)}b`), false);
});

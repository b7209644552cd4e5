import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { listPatterns, Shapes } from './shapes.ts';
// Loads the lists of the room.
import './inspect.ts';

const shapes = new Shapes([
  [/x{3}/, 90, 'a pattern whose words are in no list'],
  [/["'](?:system|exec|passthru|shell_exec|assert|eval|phpinfo)["']\s?\(/i, 92, 'a pattern with words'],
]);

test('Shapes.in lists patterns without words for any text, and others where one of their words stands', () => {
  const list = (text: string): readonly string[] => shapes.in(text).map(([, , why]) => why);
  deepEqual(list('hello'), ['a pattern whose words are in no list']);
  deepEqual(list('EVALuate'), ['a pattern whose words are in no list', 'a pattern with words']);
  deepEqual(list('EVALuate'), list('an assertion'));
  deepEqual(list(''), ['a pattern whose words are in no list']);
});

test('Shapes has patterns of all lists, so that one look at a text answers for all', () => {
  const patterns = listPatterns().map(String);
  for (const word of ['phpinfo', 'certutil', 'frombase64', 'dropDatabase', 'ysoserial', 'xml-stylesheet'])
    equal(patterns.filter((pattern) => pattern.includes(word)).length > 0, true, word);
});

import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { looksLikeJson } from './json-parts.ts';

test('looksLikeJson checks the media type, or the first characters of the body', () => {
  equal(looksLikeJson('application/json', 'x'), true);
  equal(looksLikeJson('application/problem+json', 'x'), true);
  equal(looksLikeJson('text/plain', ' {"a":1}'), true);
  equal(looksLikeJson('text/plain', 'a\\nb'), false);
});

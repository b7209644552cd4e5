import { equal, notEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { parsePattern } from './parse-pattern.ts';
import { PatternCache } from './pattern-cache.ts';

test('parsePattern compiles a source once while its pattern is in use', () => {
  const first = parsePattern('^/cached/[0-9]+$');
  const second = parsePattern('^/cached/[0-9]+$');
  ok(first.ok && second.ok);
  equal(first.pattern, second.pattern);
  const other = parsePattern('^/cached/[0-8]+$');
  ok(other.ok);
  notEqual(other.pattern, first.pattern);
});

test('PatternCache keeps what is in use, whatever its size', () => {
  const cache = new PatternCache({ sizeMax: 1 });
  const sources = ['a+b', 'c+d', 'e+f'];
  const parsed = sources.map((source) => {
    const result = parsePattern(source);
    ok(result.ok);
    cache.add(result.pattern);
    return result.pattern;
  });
  for (const [index, source] of sources.entries()) equal(cache.get(source), parsed[index]);
  equal(cache.get('g+h'), undefined);
});

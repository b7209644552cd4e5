import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compilePagePattern, type PagePattern, readPagePattern } from '#rulesets';
import { mayOverlap } from './pattern-overlap.ts';

function read(text: string): PagePattern {
  const result = readPagePattern(text);
  ok(result.ok, text);
  return result.pattern;
}

test('mayOverlap tells patterns apart by scheme, port, host, and both ends of the path', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['a.example/*', 'a.example/x', true],
    ['a.example/x', 'A.example/X', true],
    ['a.example/x', 'a.example/y', false],
    ['a.example/x*', 'a.example/y*', false],
    ['a.example/x*', 'a.example/x/y*', true],
    ['a.example/*.css', 'a.example/*.js', false],
    ['a.example/*.css', 'a.example/x*', true],
    ['a.example/*', 'b.example/*', false],
    ['*.example/*', 'b.example/*', true],
    ['*a.example/*', '*b.example/*', false],
    ['http://a.example/*', 'https://a.example/*', false],
    ['http://a.example/*', 'a.example:8080/*', true],
    ['a.example:80/*', 'a.example:8080/*', false],
  ];
  for (const [a, b, expected] of cases) {
    equal(mayOverlap(read(a), read(b)), expected, `${a} and ${b}`);
    equal(mayOverlap(read(b), read(a)), expected, `${b} and ${a}`);
  }
});

test('mayOverlap is true whenever a URL matches both patterns', () => {
  const piece = fc.constantFrom('a', 'b', 'A', '*', '/', 'ab');
  const pattern = fc
    .record({
      scheme: fc.constantFrom('', '', '', 'http://', 'https://'),
      host: fc.constantFrom('a.example', '*.example', 'b*.example', '*example'),
      port: fc.constantFrom('', '', '', ':80', ':8080'),
      uri: fc.array(piece, { maxLength: 3 }).map((pieces) => `/${pieces.join('')}`),
    })
    .map(({ scheme, host, port, uri }) => `${scheme}${host}${port}${uri}`)
    .filter((text) => readPagePattern(text).ok);
  const url = fc.record({
    scheme: fc.constantFrom('http' as const, 'https' as const),
    host: fc.constantFrom('a.example', 'b.example', 'bb.example', 'example'),
    port: fc.constantFrom(80, 8080),
    path: fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 3 }).map((pieces) => `/${pieces.join('')}`),
    query: fc.constant(undefined),
  });
  let both = 0;
  fc.assert(
    fc.property(pattern, pattern, fc.array(url, { minLength: 10, maxLength: 30 }), (a, b, urls) => {
      const [isA, isB] = [compilePagePattern(a), compilePagePattern(b)];
      const isBoth = urls.some((each) => isA(each) && isB(each));
      if (isBoth) both++;
      ok(!isBoth || mayOverlap(read(a), read(b)), `${a} and ${b}`);
    }),
    { numRuns: 1500, seed: 3 },
  );
  ok(both > 50, `only ${both} pairs met`);
});

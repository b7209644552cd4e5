import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { captureWildcard, matchesWildcard, parseWildcard, type Wildcard } from './wildcard.ts';

function wildcard(pattern: string, isStrict = false): Wildcard {
  const result = parseWildcard(pattern, isStrict);
  assert.ok(result.ok);
  return result.wildcard;
}

test('matchesWildcard agrees with the equivalent regular expression', () => {
  const letters = fc.constantFrom('a', 'b', 'A', '.', '\n', '?');
  const pattern = fc
    .array(fc.string({ unit: letters, maxLength: 3 }), { minLength: 1, maxLength: 4 })
    .filter((parts) => parts.slice(1, -1).every((part) => part !== ''));
  fc.assert(
    fc.property(
      pattern,
      fc.string({ unit: letters, maxLength: 10 }),
      fc.boolean(),
      (parts, value, isStrict) => {
        const regex = new RegExp(`^${parts.map(RegExp.escape).join('[^]*')}$`, isStrict ? '' : 'i');
        assert.equal(matchesWildcard(wildcard(parts.join('*'), isStrict), value), regex.test(value));
      },
    ),
    { numRuns: 2000 },
  );
});

test('captureWildcard captures as little as possible, and keeps the case of the value', () => {
  assert.deepEqual(captureWildcard(wildcard('*/*'), 'A/b/c'), ['A', 'b/c']);
  assert.deepEqual(captureWildcard(wildcard('x*y*z'), 'X1Y2yz'), ['1', '2y']);
  assert.equal(captureWildcard(wildcard('a*'), 'b'), undefined);
});

test('matchesWildcard folds ASCII only', () => {
  assert.equal(matchesWildcard(wildcard('\xc3\x89'), '\xc3\xa9'), false);
  assert.equal(matchesWildcard(wildcard('\xc9'), '\xe9'), false);
});

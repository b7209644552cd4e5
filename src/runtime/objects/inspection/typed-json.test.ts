import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { fromTypedJson, toTypedJson } from './typed-json.ts';

test('toTypedJson says a value so that fromTypedJson gives the same one back', () => {
  const values = [
    null,
    true,
    'text <b>',
    7.5,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    undefined,
    2n ** 70n,
    [1, [undefined, 'a']],
    { a: 1, b: { c: [null] } },
    { $date: 'not a date' },
    { $object: 1 },
    JSON.parse('{"__proto__": 1, "a": 2}'),
    new Date(5),
    /a+"/gi,
    new Map<unknown, unknown>([
      ['a', 1],
      [{ b: 2 }, new Date(0)],
    ]),
    new Set([1, 'two']),
    new Uint8Array([1, 2, 255]).buffer,
    new Uint8Array([1, 2, 255]),
    new Float64Array([0.5, -1]),
    new BigInt64Array([5n]),
  ];
  for (const value of values) deepEqual(fromTypedJson(toTypedJson(value)!), value);
  equal(Number.isNaN((fromTypedJson(toTypedJson(new Date(Number.NaN))!) as Date).getTime()), true);
});

test('toTypedJson has nothing for a value that it could not say exactly', () => {
  const shared = {};
  const circle: unknown[] = [];
  circle.push(circle);
  // oxlint-disable-next-line no-sparse-arrays -- a hole is what is tested
  const values = [new Error('no'), circle, { a: shared, b: shared }, [1, , 3], new Uint8Array(8).subarray(2)];
  for (const value of values) equal(toTypedJson(value), undefined);
});

test('fromTypedJson names what is wrong, and where', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['{', /the value is not JSON/],
    ['{"$data": 1}', /\$data is not known/],
    ['{"a": [{"$date": "soon"}]}', /\$date at \/a\/0 must be a time/],
    ['{"$bigint": 5}', /\$bigint at the top must be a whole number as text/],
    ['{"$map": [["a"]]}', /must be a list of pairs/],
    ['{"$regexp": ["(", ""]}', /must be a list of a pattern/],
    ['{"$Uint16Array": "AA=="}', /elements of 2 bytes/],
    [`${'['.repeat(300)}${']'.repeat(300)}`, /nested more than 200 deep/],
  ];
  for (const [text, message] of cases) throws(() => fromTypedJson(text), message);
});

import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lowerAscii } from '#text';
import { hasTest, PrefilterBuilder } from './prefilter.ts';

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const literal = fc.array(byte, { minLength: 1, maxLength: 3 }).map((bytes) => bytes.join(''));

test('a scan leaves out no test that needs a literal of the text, however many there are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(literal, { maxLength: 4 }), { maxLength: 80 }),
      fc.array(byte, { maxLength: 60 }).map((bytes) => bytes.join('')),
      (needed, text) => {
        const builder = new PrefilterBuilder();
        const numbers = needed.map((literals) => builder.add({ literals, ignoreCase: true }));
        const found = builder.build().scan(text);
        for (const [index, literals] of needed.entries()) {
          const mayMatch =
            literals.length === 0 || literals.some((each) => lowerAscii(text).includes(lowerAscii(each)));
          if (mayMatch) equal(hasTest(found, numbers[index]!), true);
        }
      },
    ),
  );
});

test('a scan leaves out tests that need other bytes, the common ones each by itself', () => {
  const builder = new PrefilterBuilder();
  const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
  const numbers = new Map(
    bytes.map((each) => [each, builder.add({ literals: [each], ignoreCase: false })] as const),
  );
  const found = builder.build().scan('ace');
  for (const each of 'acebd') equal(hasTest(found, numbers.get(each)!), 'ace'.includes(each), each);
  equal(hasTest(found, numbers.get('\0')!), false);
});

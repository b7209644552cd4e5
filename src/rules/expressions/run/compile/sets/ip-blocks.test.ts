import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareIp, Ip, parseIp, IpSet } from '#addresses';
import { findBlocksAround, IpBlockTable } from './ip-blocks.ts';

/** Addresses close to each other and to the ends of the space, so that ranges nest, touch and overlap. */
const word = fc.constantFrom(0, 1, 2, 3, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff);
const address = fc.oneof(
  word.map((w0) => new Ip(4, w0)),
  fc.tuple(word, word, word, word).map(([w0, w1, w2, w3]) => new Ip(6, w0, w1, w2, w3)),
);
const range = fc
  .tuple(address, address)
  .filter(([one, other]) => one.family === other.family)
  .map(([one, other]) =>
    compareIp(one, other) <= 0 ? { first: one, last: other } : { first: other, last: one },
  );
const holds = ({ first, last }: { first: Ip; last: Ip }, ip: Ip): boolean =>
  first.family === ip.family && compareIp(first, ip) <= 0 && compareIp(ip, last) <= 0;

test('IpSet has exactly the addresses of its ranges', () => {
  fc.assert(
    fc.property(
      fc.array(range, { maxLength: 8 }),
      fc.array(address, { maxLength: 20 }),
      (ranges, addresses) => {
        const set = new IpSet(ranges);
        for (const ip of addresses) assert.equal(set.has(ip), ranges.some((each) => holds(each, ip))); // prettier-ignore
      },
    ),
    { numRuns: 500 },
  );
});

test('findBlocksAround covers the range with at most two blocks', () => {
  fc.assert(
    fc.property(range, address, (each, ip) => {
      const blocks = findBlocksAround(each.first, each.last);
      assert.ok(blocks.length <= 2);
      if (holds(each, ip)) assert.ok(blocks.some((block) => holds(block, ip)));
    }),
    { numRuns: 1000 },
  );
  const network = findBlocksAround(parseIp('10.0.0.0')!, parseIp('10.255.255.255')!);
  assert.deepEqual(network.map(({ prefixLength }) => prefixLength), [8]); // prettier-ignore
});

test('IpBlockTable finds every block that contains an address and no other', () => {
  fc.assert(
    fc.property(
      fc.array(range, { maxLength: 8 }),
      fc.array(address, { maxLength: 20 }),
      (ranges, addresses) => {
        const entries = ranges.flatMap(({ first, last }, number) =>
          findBlocksAround(first, last).map((block) => ({ block, number })),
        );
        const table = new IpBlockTable(entries);
        for (const ip of addresses) {
          const found: number[] = [];
          table.forEach(ip, (numbers) => void found.push(...numbers));
          const expected = entries.filter(({ block }) => holds(block, ip)).map(({ number }) => number);
          assert.deepEqual(new Set(found), new Set(expected));
          assert.equal(found.length, expected.length);
        }
      },
    ),
    { numRuns: 500 },
  );
});

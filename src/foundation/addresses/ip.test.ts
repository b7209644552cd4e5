import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareIp, formatIp, Ip, parseIp } from './ip.ts';

test('parseIp reads what the system reads, and formatIp writes it back', () => {
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.string({ unit: fc.constantFrom('0', '1', '2', '7', ':', '.', 'f', 'F'), maxLength: 18 }),
  );
  fc.assert(
    fc.property(text, (written) => {
      const ip = parseIp(written);
      assert.equal(ip?.family ?? 0, isIP(written));
      if (ip !== undefined) assert.deepEqual(parseIp(formatIp(ip)), ip);
    }),
    { numRuns: 3000 },
  );
});

test('formatIp writes the shortest form', () => {
  for (const text of [
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    '1::',
    '2001:db8::1:0:0:1',
    '::ffff:1.2.3.4',
    '1:0:2::',
  ]) {
    assert.equal(formatIp(parseIp(text)!), text);
  }
  assert.equal(formatIp(parseIp('2001:0DB8:0:1:0:0:0:0')!), '2001:db8:0:1::');
  assert.equal(formatIp(parseIp('1:2:3:0:5:6:7:8')!), '1:2:3:0:5:6:7:8');
});

test('compareIp orders by number', () => {
  assert.ok(compareIp(new Ip(4, 0xff00_0000), new Ip(4, 1)) > 0);
  assert.ok(compareIp(parseIp('::1:0:0:0')!, parseIp('::ffff:ffff:ffff')!) > 0);
});

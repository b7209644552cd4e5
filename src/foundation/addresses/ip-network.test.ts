import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetwork } from './ip-network.ts';

test('parseNetwork returns the first and last address of a network', () => {
  for (const [text, first, last] of [
    ['10.1.2.3/8', '10.0.0.0', '10.255.255.255'],
    ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
    ['0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
    ['2001:db8::1/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['::1', '::1', '::1'],
  ] as const) {
    const network = parseNetwork(text)!;
    deepEqual([String(network.first), String(network.last)], [first, last], text);
  }
});

test('parseNetwork refuses text that is no network', () => {
  for (const text of [
    '',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'example.com',
    '10.0.0.0/-1',
    '/8',
  ]) {
    equal(parseNetwork(text), undefined, text);
  }
});

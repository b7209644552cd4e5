import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { findClientAddress, findClientNetwork, toPeer } from './client-address.ts';
import { parseNetworkSet } from '#addresses';

const trusted = parseNetworkSet(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);

test('toPeer normalises addresses', () => {
  for (const [given, address, network, isTrusted] of [
    ['::ffff:10.1.2.3', '10.1.2.3', '10.1.2.3', true],
    ['192.0.2.2', '192.0.2.2', '192.0.2.2', false],
    ['fd00:0:0::1', 'fd00::1', 'fd00::/64', true],
    ['fe80::1%eth0', 'fe80::1', 'fe80::/64', false],
  ] as const) {
    deepEqual(toPeer(given, trusted), { address, network, isTrusted });
  }
});

test('findClientAddress returns the last address that is no trusted proxy', () => {
  const peer = toPeer('10.0.0.1', trusted);
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, '10.0.0.1'],
    ['', '10.0.0.1'],
    ['198.51.100.7', '198.51.100.7'],
    ['203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['203.0.113.1, 198.51.100.7, 10.2.2.2, fd00::9', '198.51.100.7'],
    ['10.3.3.3,10.2.2.2', '10.3.3.3'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['unknown', '10.0.0.1'],
    ['198.51.100.7, unknown, 10.2.2.2', '10.2.2.2'],
    ['198.51.100.7:1234', '10.0.0.1'],
    ['198.51.100.7, '.repeat(10_000), '198.51.100.7'],
    [`203.0.113.1${', 10.2.2.2'.repeat(100)}`, '10.2.2.2'],
  ];
  for (const [forwardedFor, expected] of cases) {
    equal(findClientAddress(peer, forwardedFor, trusted), expected, `${forwardedFor?.slice(0, 50)}`);
  }
});

test('findClientAddress ignores what untrusted peers send', () => {
  equal(findClientAddress(toPeer('192.0.2.2', trusted), '198.51.100.7', trusted), '192.0.2.2');
});

test('findClientNetwork takes an IPv6 network of 64 bits for one client', () => {
  const networkOf = (address: string): string | undefined => {
    const peer = toPeer(address, trusted);
    return findClientNetwork(peer, peer.address);
  };
  equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  equal(networkOf('2001:db8:1:2:ffff::1%eth0'), '2001:db8:1:2::/64');
  equal(networkOf('::ffff:192.0.2.2'), '192.0.2.2');
  equal(networkOf('10.0.0.1'), undefined);
  const proxy = toPeer('10.0.0.1', trusted);
  equal(findClientNetwork(proxy, '2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  equal(findClientNetwork(proxy, '192.0.2.2'), '192.0.2.2');
});

test('parseNetworkSet refuses text that is no network', () => {
  for (const text of [
    '',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    'fd00::/129',
    '10.0.0/8',
    '10.0.0.0/a',
  ]) {
    throws(() => parseNetworkSet([text]), { name: 'TypeError', message: /an address/ });
  }
});

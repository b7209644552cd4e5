import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { readNetworks } from './read-networks.ts';

test('readNetworks reads lines with remarks, and JSON of any shape', () => {
  deepEqual(
    readNetworks('# a provider\r\n192.0.2.0/24\r\n\r\n2001:db8::/32 ; its other one\n198.51.100.7\n'),
    ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'],
  );
  const json = {
    syncToken: '1790000000',
    createDate: '2026-10-01-00/07',
    prefixes: [{ ip_prefix: '192.0.2.0/24', region: 'a' }, { ipv6Prefix: '2001:db8::/32' }],
  };
  deepEqual(readNetworks(JSON.stringify(json)), ['192.0.2.0/24', '2001:db8::/32']);
});

test('readNetworks refuses a list that it does not understand as a whole, or that trusts the internet', () => {
  for (const [text, reason] of [
    ['', /it is empty/],
    ['{}', /it is empty/],
    ['<html>Sign in</html>', /HTML/],
    ['192.0.2.0/24\nnobody', /line 2 is not a valid network: "nobody"/],
    ['192.0.2.0/33', /line 1 is not a valid network/],
    ['192.0.2.0/24#a provider', /line 1 is not a valid network/],
    ['0.0.0.0/0', /too large/],
    ['["128.0.0.0/1"]', /too large/],
    ['::/0', /too large/],
    ['{"a":', /JSON/],
    ['192.0.2.1\n'.repeat(50_001), /more than/],
  ] as const)
    throws(() => readNetworks(text), reason, text.slice(0, 30));
});

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { ListKind } from '#rulesets';
import { type GivenItem, readItem } from './list-item.ts';

function read(kind: ListKind, given: GivenItem): unknown {
  const result = readItem(kind, given);
  return result.ok ? Object.values(result.item.value)[0] : `${result.field}: ${result.reason}`;
}

function keyOf(kind: ListKind, given: GivenItem): string {
  const result = readItem(kind, given);
  return result.ok ? result.item.key : result.reason;
}

test('readItem normalises the spelling of an address', () => {
  const cases: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1/32 ', '192.0.2.1'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8:0:1:ffff::/64', '2001:db8:0:1::/64'],
    ['2000::/12', '2000::/12'],
    ['::FFFF:192.0.2.1', '::ffff:192.0.2.1'],
  ];
  deepEqual(
    cases.map(([given]) => [given, read('ip', { ip: given })]),
    cases,
  );
});

test('readItem refuses text that is no address, and networks that are too large or too small', () => {
  const cases: [string, string][] = [
    ['10.0.0.0/7', 'ip: the prefix length of IPv4 is 8 to 32: 7'],
    ['10.0.0.0/33', 'ip: not an address or a network: "10.0.0.0/33"'],
    ['2000::/11', 'ip: the prefix length of IPv6 is 12 to 64: 11'],
    ['2001:db8::1/128', 'ip: the prefix length of IPv6 is 12 to 64: 128; leave it out for a single address'],
    ['10.0.0', 'ip: not an address or a network: "10.0.0"'],
    ['010.0.0.1', 'ip: not an address or a network: "010.0.0.1"'],
    ['fe80::1%eth0', 'ip: not an address or a network: "fe80::1%eth0"'],
    ['example.com', 'ip: not an address or a network: "example.com"'],
  ];
  deepEqual(
    cases.map(([given]) => [given, read('ip', { ip: given })]),
    cases,
  );
});

test('readItem returns keys that sort as addresses do, IPv4 first', () => {
  const ascending = [
    '9.0.0.0/8',
    '10.0.0.0/8',
    '10.0.0.0/16',
    '10.0.0.0',
    '10.0.0.1',
    '192.0.2.1',
    '::1',
    '2000::/12',
    '2001:db8::1',
  ];
  const keys = ascending.map((ip) => keyOf('ip', { ip }));
  deepEqual(keys, keys.toSorted());
  equal(new Set(keys).size, keys.length);
});

test('readItem accepts host names with or without a leading star', () => {
  const hostname = (url_hostname: string): unknown => read('hostname', { hostname: { url_hostname } });
  deepEqual(hostname('WWW.Example.com'), { url_hostname: 'www.example.com' });
  deepEqual(hostname('*.example.com'), { url_hostname: '*.example.com' });
  const kept = { url_hostname: '*.example.com', exclude_exact_hostname: false };
  deepEqual(read('hostname', { hostname: kept }), kept);
  const wrong = [
    '*',
    'www.*.com',
    '*.*.com',
    'a..b',
    '-a.com',
    'a-.com',
    'a_b.com',
    'bücher.example',
    'a.com.',
    'a.com/x',
  ];
  const long = [`${'a'.repeat(64)}.com`, `${'a.'.repeat(126)}com`];
  for (const name of [...wrong, ...long]) {
    equal(
      hostname(name),
      `hostname/url_hostname: not a host name, or one with *. before it: ${JSON.stringify(name)}`,
    );
  }
});

test('readItem returns keys that sort as AS numbers do', () => {
  const keys = [0, 7, 13335, 4_294_967_295].map((asn) => keyOf('asn', { asn }));
  deepEqual(keys, keys.toSorted());
  equal(read('asn', { asn: 13335 }), 13335);
});

test('readItem keeps a redirect as it was sent, with its source as it is matched', () => {
  const given = {
    source_url: 'Example.com/a',
    target_url: 'https://example.org',
    preserve_query_string: true,
  };
  deepEqual(read('redirect', { redirect: given }), {
    source_url: 'example.com/a',
    target_url: 'https://example.org',
    preserve_query_string: true,
  });
});

test('readItem refuses redirects whose source or target is not a URL', () => {
  const from = (source_url: string): unknown =>
    read('redirect', { redirect: { source_url, target_url: 'https://a.b/' } });
  const to = (target_url: string): unknown =>
    read('redirect', { redirect: { source_url: 'a.b', target_url } });
  for (const source of ['a.b/?q', 'a.b/#f', 'u:p@a.b/', 'a.b:8080/', 'ftp://a.b/', '', '/path', 'a b'])
    equal(String(from(source)).startsWith('redirect/source_url: not'), true, source);
  for (const target of ['a.b', 'ftp://a.b/', 'javascript:alert(1)', 'https://u:p@a.b/', 'https://', ''])
    equal(String(to(target)).startsWith('redirect/target_url: not'), true, target);
});

test('readItem requires the field of the kind of the list, and no other', () => {
  equal(read('ip', {}), ': an item of a list of kind ip needs ip');
  equal(read('asn', { ip: '192.0.2.1' }), 'ip: a list of kind asn holds no ip');
  equal(read('ip', { ip: '192.0.2.1', asn: 1 }), 'asn: a list of kind ip holds no asn');
});

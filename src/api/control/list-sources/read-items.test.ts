import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { readItems } from './read-items.ts';

test('readItems reads lines, CSV and JSON, each item once', () => {
  const read = (text: string): unknown[] => readItems(text, 'ip', 10).map(({ ip }) => ip);
  deepEqual(read('# bad\n192.0.2.1 ; spam\r\n\n2001:db8::/32 # net\n192.0.2.1\n'), [
    '192.0.2.1',
    '2001:db8::/32',
  ]);
  deepEqual(read('\uFEFFip,country,score\n"192.0.2.1",DE,9\n198.51.100.0/24,FR,7\n'), [
    '192.0.2.1',
    '198.51.100.0/24',
  ]);
  deepEqual(read('{"name":"x","prefixes":[{"ipv4Prefix":"192.0.2.0/24"},{"ipv6Prefix":"2001:db8::/32"}]}'), [
    '192.0.2.0/24',
    '2001:db8::/32',
  ]);
  deepEqual(readItems('AS64500\n64501', 'asn', 10), [{ asn: 64_500 }, { asn: 64_501 }]);
  deepEqual(readItems('bad.example', 'hostname', 10), [{ hostname: { url_hostname: 'bad.example' } }]);
});

test('readItems refuses what is no list as a whole', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /it is empty/],
    ['# nothing\n', /it is empty/],
    ['{"message":"not found"}', /it is empty/],
    ['<!doctype html><title>Moved</title>', /HTML/],
    ['192.0.2.1\nToo many requests\n', /line 2 is not a valid ip: "Too many requests"/],
    ['0.0.0.0/0', /line 1 is not a valid ip/],
    ['[{"ip":', /JSON/],
    [Array.from({ length: 11 }, (_, index) => `192.0.2.${index}`).join('\n'), /more than 10 items/],
  ];
  for (const [text, reason] of refused) throws(() => readItems(text, 'ip', 10), reason);
});

import { deepEqual, ok } from 'node:assert/strict';
import { isNetwork, readPublishedList } from '#addresses';
import type { FuzzedReader } from './reader.ts';

const options = { name: 'network', isEntry: isNetwork };

export const publishedLists: FuzzedReader = {
  name: 'published-lists',
  seeds: [
    '# a provider\r\n192.0.2.0/24\r\n\r\n2001:db8::/32 ; its other one\n198.51.100.7\n',
    'network,country\n"192.0.2.0/24",DE\n198.51.100.0/24\tFR\n',
    '{"prefixes":[{"ip_prefix":"192.0.2.0/24"},{"ipv6Prefix":"2001:db8::/32"}]}',
  ],
  words: ['\n', '\r', ',', ';', ' ;', ' #', '#', '//', '"', '[', '{', '/', '::', '0', '\ufeff', '<'],
  /** Each entry is in the text, and a list of the entries alone has the same entries. */
  check(input) {
    const text = input.toString('latin1');
    let entries: string[];
    try {
      entries = readPublishedList(text, options);
    } catch {
      return;
    }
    for (const entry of entries) ok(isNetwork(entry) && (text.includes(entry) || text.includes('\\')), entry);
    deepEqual(readPublishedList(entries.join('\n'), options), entries);
    deepEqual(readPublishedList(JSON.stringify(entries), options), entries);
  },
};

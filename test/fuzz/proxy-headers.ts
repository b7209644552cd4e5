/** The reader of the PROXY protocol: its result does not depend on where the bytes are split. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { isIP } from 'node:net';
import { proxyHeaderBytesMax } from '../../src/traffic/edge/wire/limits.ts';
import { readProxyHeader } from '../../src/traffic/edge/wire/connection/proxy-header.ts';
import type { FuzzedReader } from './reader.ts';

export const proxyHeaders: FuzzedReader = {
  name: 'proxy-headers',
  seeds: [
    'PROXY TCP4 192.0.2.7 198.51.100.1 60000 443\r\nGET / HTTP/1.1',
    'PROXY TCP6 2001:db8::7 2001:db8::1 1 65535\r\n',
    'PROXY UNKNOWN a b c\r\n',
    Buffer.from(
      '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x01\x02\x03\x04\x05\x06\x07\x08\0\x50\x01\xbbrest',
      'latin1',
    ),
    Buffer.from('\r\n\r\n\0\r\nQUIT\n\x20\0\0\0', 'latin1'),
  ],
  words: [
    'PROXY ',
    'TCP4',
    'TCP6',
    'UNKNOWN',
    ' ',
    '\r\n',
    '\r',
    '::',
    '65536',
    '\x21\x21',
    '\xff\xff',
    '\0',
  ],
  check(input) {
    const read = readProxyHeader(input);
    if (typeof read === 'string') {
      // A refused or incomplete input has no prefix that is a header.
      for (let length = 0; length < input.length; length++) {
        const earlier = readProxyHeader(input.subarray(0, length));
        if (earlier === 'malformed') equal(read, 'malformed');
        else equal(earlier, 'more');
      }
      ok(read === 'malformed' || input.length < proxyHeaderBytesMax);
      return;
    }
    ok(read.length <= input.length && read.length <= proxyHeaderBytesMax);
    for (let length = 0; length < read.length; length++)
      equal(readProxyHeader(input.subarray(0, length)), 'more');
    deepEqual(readProxyHeader(input.subarray(0, read.length)), read);
    const { addresses } = read;
    if (addresses !== undefined) equal(isIP(addresses.clientAddress), isIP(addresses.serverAddress));
  },
};

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyHeader } from './proxy-header.ts';

function text(line: string): Buffer {
  return Buffer.from(line, 'latin1');
}

interface Binary {
  readonly version?: number;
  readonly command?: number;
  readonly family?: number;
  readonly content?: Buffer;
  /** The declared length, if it differs from the actual one. */
  readonly length?: number;
}

function binary({
  version = 2,
  command = 1,
  family = 0x11,
  content = Buffer.alloc(12),
  length,
}: Binary): Buffer {
  const head = Buffer.from('\r\n\r\n\0\r\nQUIT\n\0\0\0\0', 'latin1');
  head[12] = (version << 4) | command;
  head[13] = family;
  head.writeUInt16BE(length ?? content.length, 14);
  return Buffer.concat([head, content]);
}

const addresses4 = Buffer.from([192, 0, 2, 7, 198, 51, 100, 1, 0xea, 0x60, 0x01, 0xbb]);
const seen4 = {
  clientAddress: '192.0.2.7',
  clientPort: 60_000,
  serverAddress: '198.51.100.1',
  serverPort: 443,
};

test('readProxyHeader reads both versions, and leaves what follows', () => {
  const line = 'PROXY TCP4 192.0.2.7 198.51.100.1 60000 443\r\n';
  deepEqual(readProxyHeader(text(`${line}GET / HTTP/1.1\r\n`)), { addresses: seen4, length: line.length });
  const header = binary({ content: Buffer.concat([addresses4, Buffer.from('\x04\0\x01x', 'latin1')]) });
  deepEqual(readProxyHeader(Buffer.concat([header, text('GET')])), {
    addresses: seen4,
    length: header.length,
  });
  const six = { clientAddress: '2001:db8::7', clientPort: 1, serverAddress: '2001:db8::1', serverPort: 2 };
  const line6 = 'PROXY TCP6 2001:db8:0:0:0:0:0:7 2001:DB8::1 1 2\r\n';
  deepEqual(readProxyHeader(text(line6)), { addresses: six, length: line6.length });
  const content = Buffer.from(
    '20010db800000000000000000000000720010db800000000000000000000000100010002',
    'hex',
  );
  deepEqual(readProxyHeader(binary({ family: 0x21, content })), { addresses: six, length: 52 });
});

test('readProxyHeader: a connection of the load balancer itself, or of a client that it does not know, has no addresses', () => {
  for (const header of [
    text('PROXY UNKNOWN\r\n'),
    text('PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n'),
    binary({ command: 0, content: Buffer.alloc(0) }),
    binary({ command: 0, content: addresses4 }),
    binary({ family: 0x00, content: Buffer.alloc(0) }),
    binary({ family: 0x31, content: Buffer.alloc(216) }),
    binary({ family: 0x12, content: addresses4 }),
  ])
    deepEqual(
      readProxyHeader(header),
      { addresses: undefined, length: header.length },
      header.toString('latin1'),
    );
});

test('readProxyHeader waits for every byte of a header, and for none that cannot become one', () => {
  const whole = [text('PROXY TCP4 192.0.2.7 198.51.100.1 60000 443\r\n'), binary({ content: addresses4 })];
  for (const header of whole)
    for (let length = 0; length < header.length; length++)
      equal(readProxyHeader(header.subarray(0, length)), 'more', `${length} of ${header.length}`);
});

test('readProxyHeader refuses what is no header, or claims what it has not', () => {
  for (const bytes of [
    text('GET / HTTP/1.1\r\n\r\n'),
    text('PROXY'.toLowerCase()),
    text('\x16\x03\x01\x02\x00'),
    text('PROXY TCP4 192.0.2.7 198.51.100.1 60000 443 more\r\n'),
    text('PROXY TCP4 192.0.2.7 198.51.100.1 60000\r\n'),
    text('PROXY TCP4  192.0.2.7 198.51.100.1 60000 443\r\n'),
    text('PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n'),
    text('PROXY TCP6 192.0.2.7 198.51.100.1 1 2\r\n'),
    text('PROXY TCP4 192.0.2.07 198.51.100.1 1 2\r\n'),
    text('PROXY TCP4 192.0.2.7 198.51.100.1 65536 443\r\n'),
    text('PROXY TCP4 192.0.2.7 198.51.100.1 060 443\r\n'),
    text('PROXY TCP4 192.0.2.7 198.51.100.1 -1 443\r\n'),
    text('PROXY UDP4 192.0.2.7 198.51.100.1 1 443\r\n'),
    text(`PROXY TCP4 ${'1'.repeat(200)}`),
    text(`PROXY UNKNOWN ${'x'.repeat(100)}\r\n`),
    binary({ version: 1, content: addresses4 }),
    binary({ version: 3, content: addresses4 }),
    binary({ command: 2, content: addresses4 }),
    binary({ content: addresses4.subarray(0, 11) }),
    binary({ family: 0x21, content: addresses4 }),
    binary({ content: addresses4, length: 4_096 }),
    binary({ content: addresses4, length: 65_535 }),
  ])
    equal(readProxyHeader(bytes), 'malformed', JSON.stringify(bytes.toString('latin1').slice(0, 60)));
});

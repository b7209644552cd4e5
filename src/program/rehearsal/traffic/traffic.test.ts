import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readAccessLogLine } from './access-log-line.ts';
import { readHarEntry } from './har.ts';
import { readJsonLine } from './json-line.ts';
import { openTraffic } from './open-traffic.ts';
import type { ReadEntry, RecordedRequest } from './recorded-request.ts';

const defaults = { host: 'shop.example', hostOverride: undefined, ip: '192.0.2.1' };
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-traffic-'));
after(() => rmSync(directory, { recursive: true, force: true }));

function requestOf(entry: ReadEntry): RecordedRequest {
  if (entry.kind === 'request') return entry.request;
  throw new Error(entry.reason);
}

function write(name: string, content: string | Uint8Array): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

test('readAccessLogLine reads the common and combined formats, with and without a virtual host', () => {
  const head = '203.0.113.9 - jane doe [10/Oct/2026:13:55:36 -0700]';
  const lines: [string, Partial<RecordedRequest>][] = [
    [
      `${head} "GET /a?b=c HTTP/1.0" 200 2326`,
      { target: '/a?b=c', httpVersion: '1.0', host: 'shop.example' },
    ],
    [`${head} "HEAD /a HTTP/2.0" 304 -`, { method: 'HEAD', httpVersion: '2' }],
    [
      String.raw`${head} "GET /a HTTP/1.1" 200 1 "-" "say \"hi\" \x41"`,
      {
        headers: [
          ['Host', 'shop.example'],
          ['User-Agent', 'say "hi" A'],
        ],
      },
    ],
    [
      `www.shop.example:443 ${head} "POST /a HTTP/1.1" 200 1`,
      { host: 'www.shop.example', isBodyMissing: true },
    ],
    ['2001:db8::1 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 1', { ip: '2001:db8::1' }],
  ];
  for (const [line, expected] of lines) {
    const request = requestOf(readAccessLogLine(line, defaults));
    deepEqual({ ...request, ...expected }, request, line);
  }
  const { receivedAtMs, ip } = requestOf(readAccessLogLine(lines[0]![0], defaults));
  deepEqual([new Date(receivedAtMs).toISOString(), ip], ['2026-10-10T20:55:36.000Z', '203.0.113.9']);
});

test('readers answer anything else with a reason', () => {
  const time = '[10/Oct/2026:13:55:36 +0000]';
  for (const line of [
    '',
    'x',
    `a - - ${time} "-" 400 0`,
    `a - - ${time} "\\x16\\x03" 400 0`,
    'a - - [x] "GET / HTTP/1.1" 200 1',
  ])
    equal(readAccessLogLine(line, defaults).kind, 'unreadable', line);
  for (const line of [
    '',
    '1',
    '[]',
    '{}',
    '{"url": 1}',
    '{"url": "/a b"}',
    '{"url": "/", "method": "A B"}',
    '{"url":"/","time":"x"}',
  ])
    equal(readJsonLine(line, defaults).kind, 'unreadable', line);
  for (const entry of [undefined, 1, {}, { request: { method: 'GET', url: 'data:text/plain,a' } }])
    equal(readHarEntry(entry, defaults).kind, 'unreadable');
});

test('readHarEntry takes bodies as text, as base64 and as parameters, and no pseudo-headers', () => {
  const read = (postData: object): RecordedRequest =>
    requestOf(
      readHarEntry(
        {
          startedDateTime: '2026-01-31T12:00:00.000+01:00',
          request: {
            method: 'POST',
            url: 'https://shop.example:8443/a?b#c',
            httpVersion: 'h2',
            headers: [
              { name: ':path', value: '/a' },
              { name: 'X-A', value: 'ü\r\nY: z' },
            ],
            postData,
          },
        },
        defaults,
      ),
    );
  const { host, target, headers, httpVersion, isSecure } = read({ text: 'a=b' });
  deepEqual([host, target, httpVersion, isSecure], ['shop.example', '/a?b', '2', true]);
  deepEqual(headers[1], ['X-A', 'Ã¼  Y: z']);
  equal(read({ text: 'YT1i', encoding: 'base64' }).body!.toString(), 'a=b');
  equal(read({ params: [{ name: 'a', value: 'b c' }] }).body!.toString(), 'a=b+c');
});

test('readJsonLine reads recorded requests and events of the activity log', () => {
  const recorded = requestOf(
    readJsonLine(
      '{"url":"http://a.shop.example/x","method":"PUT","headers":[["A","b"],["A","c"]],"body_base64":"YQ==","ip":"2001:db8::1","time":5}',
      defaults,
    ),
  );
  deepEqual(
    [
      recorded.host,
      recorded.isSecure,
      recorded.headers.slice(1),
      recorded.body,
      recorded.ip,
      recorded.receivedAtMs,
    ],
    [
      'a.shop.example',
      false,
      [
        ['A', 'b'],
        ['A', 'c'],
      ],
      Buffer.from('a'),
      '2001:db8::1',
      5,
    ],
  );
  const event = requestOf(
    readJsonLine(
      '{"clientRequestPath":"/p","clientRequestQuery":"?q=1","clientRequestHTTPHost":"shop.example","clientRequestHTTPMethodName":"POST","userAgent":"x","clientIP":"203.0.113.9","datetime":"2026-01-01T00:00:00Z"}',
      defaults,
    ),
  );
  deepEqual(
    [event.target, event.method, event.isBodyMissing, event.ip],
    ['/p?q=1', 'POST', true, '203.0.113.9'],
  );
});

test('readJsonLine and readAccessLogLine read what the edge logs', async () => {
  const json =
    '{"time":"2026-10-10T13:55:36.120Z","id":"019e3c5a7b1f0a2b-ABCD","client":"203.0.113.9","status":200,"verdict":"forwarded","scheme":"http","protocol":"HTTP/1.1","method":"PUT","host":"www.shop.example","target":"/cart?coupon=1","user_agent":"Zo\\u00eb"}';
  const combined = String.raw`203.0.113.9 019e3c5a7b1f0a2b-ABCD - [10/Oct/2026:13:55:36 +0000] "PUT /cart?coupon=1 HTTP/1.1" 200 1000 "-" "Zo\xc3\xab"`;
  for (const entry of [readJsonLine(json, defaults), readAccessLogLine(combined, defaults)]) {
    const { method, target, ip, headers, isBodyMissing } = requestOf(entry);
    deepEqual([method, target, ip, isBodyMissing], ['PUT', '/cart?coupon=1', '203.0.113.9', true]);
    deepEqual(headers[1], ['User-Agent', 'ZoÃ«']);
  }
  equal(requestOf(readJsonLine(json, defaults)).isSecure, false);
});

test('openTraffic finds the format out, reads compressed logs, and can be read again', async () => {
  const line = '203.0.113.9 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 1\n';
  const har = '{"log":{"entries":[{"request":{"method":"GET","url":"https://shop.example/"}}]}}';
  const files: [string, string][] = [
    [write('a.log', line.repeat(3)), 'log'],
    [write('b.log.gz', gzipSync(line.repeat(3))), 'log'],
    [write('c.txt', '{"url":"/"}\n\n{"url":"/"}\n{"url":"/"}'), 'json'],
    [write('d.txt', har), 'har'],
  ];
  for (const [file, format] of files) {
    const traffic = await openTraffic({ file, zoneName: 'shop.example' });
    equal(traffic.format, format);
    for (let time = 0; time < 2; time++) {
      const entries = await Array.fromAsync(traffic.read());
      equal(entries.length, format === 'har' ? 1 : 3);
      for (const entry of entries) equal(requestOf(entry).host, 'shop.example');
    }
  }
  await rejects(openTraffic({ file: write('e.txt', 'what'), zoneName: 'a' }), (error: Error) => {
    match(error.message, /neither an HTTP archive/);
    return true;
  });
});

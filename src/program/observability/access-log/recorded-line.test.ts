import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { formatLine } from './access-line.ts';
import { createRecord } from './testing.ts';

test('formatLine.requests records a request with its header fields, and masks secrets', () => {
  const record = createRecord(
    {},
    {
      target: '/cart?q=red&access_token=aB3-9',
      headers: [
        ['User-Agent', 'curl/8.7.1'],
        ['Authorization', 'Bearer abc.123'],
        ['X-Api-Key', 'k3y'],
        ['Cookie', 'theme=dark; sid=aB3==; flag'],
      ],
    },
  );
  deepEqual(JSON.parse(formatLine.requests(record, { withQuery: true })), {
    time: '2026-10-10T13:55:36.120Z',
    id: '019e3c5a7b1f0a2b-ABCD',
    ip: '203.0.113.9',
    method: 'GET',
    url: 'https://www.shop.example/cart?q=red&access_token=xx0-0',
    version: 'HTTP/1.1',
    headers: [
      ['User-Agent', 'curl/8.7.1'],
      ['Authorization', 'xxxxxx xxx.000'],
      ['X-Api-Key', 'x0x'],
      ['Cookie', 'theme=xxxx; sid=xx0==; xxxx'],
    ],
  });
  doesNotMatch(formatLine.requests(record, { withQuery: false }), /red|token/);
});

const form = 'application/x-www-form-urlencoded';

/** The line of a request with a body. */
function record(contentType: string, body: string, isWhole = true, headers: [string, string][] = []): any {
  const entry = createRecord(
    { body: { bytes: Buffer.from(body), isWhole } },
    { method: 'POST', headers: [['Content-Type', contentType], ...headers] },
  );
  return JSON.parse(formatLine.requests(entry, { withQuery: true }));
}

test('formatLine.requests records bodies, and masks secrets of forms, JSON, parts and XML without changing lengths', () => {
  const parts = (password: string): string =>
    `--b\r\nContent-Disposition: form-data; name="q"\r\n\r\n<script>\r\n--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${password}\r\n--b--`;
  const cases: [type: string, body: string, recorded: string][] = [
    [form, 'q=1+union+select&password=hun%20ter2', 'q=1+union+select&password=xxx%20xxx0'],
    [form, 'note=4111+1111+1111+1111&n=4111111111111112', 'note=1111+1111+1111+1111&n=4111111111111112'],
    [
      'application/json; charset=utf-8',
      '{"q": "<script>", "user": {"password": "p\\"\\u00e9Ü1", "name": "Jane"}, "cvv": 123}',
      '{"q": "<script>", "user": {"password": "x\\"\\u00e9xx0", "name": "Jane"}, "cvv": 111}',
    ],
    [
      'multipart/form-data; boundary=b',
      '{\n--b\nContent-Disposition: form-data;\n name=pin\n\n1234\n--b--',
      '{\n--b\nContent-Disposition: form-data;\n name=pin\n\n0000\n--b--',
    ],
    [form, 'q=1&pass%77ord=hunter2', 'q=1&pass%77ord=xxxxxx0'],
    [
      'application/json',
      String.raw`{"pin":"1234","p\u0061ssword":"hunter2"}`,
      String.raw`{"pin":"0000","p\u0061ssword":"xxxxxx0"}`,
    ],
    [
      'application/vnd.api+json',
      '[{"tokens": ["a1", {"b": "c2"}], "x": "y"}, "token", 4111111111111111]',
      '[{"tokens": ["x0", {"x": "x0"}], "x": "y"}, "token", 1111111111111111]',
    ],
    ['multipart/form-data; boundary=b', parts('s3cret'), parts('x0xxxx')],
    ['text/xml', '<a><password>s3</password><q>t3</q></a>', '<a><password>x0</password><q>t3</q></a>'],
    ['', '{"secret": "cut off he', '{"secret": "xxx xxx xx'],
    ['', '{"secret": "cut off behind \\', '{"secret": "xxx xxx xxxxxx \\'],
  ];
  for (const [type, body, recorded] of cases) {
    const line = record(type, body);
    equal(line.body, recorded);
    equal(line.body_truncated, undefined);
    equal(Buffer.byteLength(line.body), Buffer.byteLength(body), body);
  }
});

test('formatLine.requests masks the longest body that is kept, whatever it repeats', () => {
  const bytesMax = 131_072;
  for (const type of [form, 'application/json', 'text/xml', 'multipart/form-data; boundary=b']) {
    for (const piece of ['a', '=', '&', '<a', '< ', '"', '\\', '{"', '1', '1 ', '%', '--b', '\r\n'])
      equal(record(type, piece.repeat(bytesMax / piece.length)).body.length > bytesMax / 2, true);
  }
});

test('formatLine.requests marks a body that was cut, writes bytes in base64, and leaves compressed bodies out', () => {
  const cut = record(form, 'a=b', false);
  deepEqual([cut.body, cut.body_truncated], ['a=b', true]);
  const bytes = createRecord({ body: { bytes: Buffer.from([0xff, 0x41]), isWhole: true } }, {});
  equal(JSON.parse(formatLine.requests(bytes, { withQuery: true })).body_base64, '/0E=');
  equal(record(form, 'a=b', true, [['Content-Encoding', 'gzip']]).body, undefined);
  const hidden = createRecord({ body: { bytes: Buffer.from('a=b'), isWhole: true } }, {});
  equal(JSON.parse(formatLine.requests(hidden, { withQuery: false })).body, undefined);
});

test('formatLine.requests writes one line of printable ASCII, and none for what is no request', () => {
  const line = formatLine.requests(createRecord({}, { target: '/\u00c3\u00ab\u001b\n"' }), {
    withQuery: true,
  });
  match(line, /^[\x20-\x7e]*\n$/);
  equal(formatLine.requests(createRecord({ request: undefined }), { withQuery: true }), '');
});

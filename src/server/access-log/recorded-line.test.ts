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

test('formatLine.requests writes one line of printable ASCII, and none for what is no request', () => {
  const line = formatLine.requests(createRecord({}, { target: '/\u00c3\u00ab\u001b\n"' }), {
    withQuery: true,
  });
  match(line, /^[\x20-\x7e]*\n$/);
  equal(formatLine.requests(createRecord({ request: undefined }), { withQuery: true }), '');
});

import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AccessFormat, formatLine } from './access-line.ts';
import { createRecord } from './testing.ts';

const whole = { withQuery: true } as const;

test('formatLine.json writes what happened to a request, with times', () => {
  deepEqual(JSON.parse(formatLine.json(createRecord(), { ...whole, traceId: 'ab' })), {
    time: '2026-10-10T13:55:36.120Z',
    id: '019e3c5a7b1f0a2b-ABCD',
    client: '203.0.113.9',
    status: 200,
    verdict: 'forwarded',
    scheme: 'https',
    protocol: 'HTTP/1.1',
    method: 'GET',
    host: 'www.shop.example',
    target: '/cart?coupon=secret',
    user_agent: 'curl/8.7.1',
    signed_in: false,
    zone: 'shop.example',
    zone_id: '0123456789abcdef0123456789abcdef',
    received_bytes: 120,
    sent_bytes: 1_234,
    first_byte_ms: 12.346,
    duration_ms: 20,
    origin: '10.0.0.5:3000',
    origin_status: 200,
    origin_connect_ms: 2,
    origin_first_byte_ms: 10,
    trace_id: 'ab',
  });
});

test('formatLine.json says why a request was refused, and leaves out queries if asked to', () => {
  const refused = createRecord({
    verdict: 'refused',
    outcome: { originStatus: undefined, edgeStatus: 400, refusal: 'bad_header' },
    reason: 'A line ends without a carriage return.',
    request: undefined,
    zone: undefined,
    origin: undefined,
  });
  const { status, refusal, reason, client } = JSON.parse(formatLine.json(refused, whole));
  deepEqual(
    [status, refusal, reason, client],
    [400, 'bad_header', 'A line ends without a carriage return.', '203.0.113.9'],
  );
  equal(JSON.parse(formatLine.json(createRecord(), { withQuery: false })).target, '/cart');
});

test('formatLine.combined writes the format of Apache, with the request id in the place of the ident', () => {
  equal(
    formatLine.combined(createRecord(), whole),
    '203.0.113.9 019e3c5a7b1f0a2b-ABCD - [10/Oct/2026:13:55:36 +0000] "GET /cart?coupon=secret HTTP/1.1" 200 1000 "-" "curl/8.7.1"\n',
  );
  const refused = createRecord({ request: undefined, sentBodyBytes: 0 });
  match(formatLine.combined(refused, whole), / "-" 200 - "-" "-"\n$/);
});

const combinedForm =
  /^(\S+) (\S+) (\S+) \[([^\]]+)\] "((?:[^"\\]|\\x[0-9a-f]{2})*)" (\d{3}) (\d+|-) "((?:[^"\\]|\\x[0-9a-f]{2})*)" "((?:[^"\\]|\\x[0-9a-f]{2})*)"\n$/;

test('formatLine keeps whatever a client sends in its value: one line, printable ASCII, bounded', () => {
  const binary = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  });
  fc.assert(
    fc.property(
      binary,
      binary,
      binary,
      fc.constantFrom<AccessFormat>('json', 'combined'),
      (target, agent, referer, format) => {
        const headers = [
          ['user-agent', agent.repeat(20)],
          ['Referer', referer],
        ] as const;
        const line = formatLine[format](createRecord({}, { target, headers, host: referer }), whole);
        match(line, /^[\x20-\x7e]*\n$/);
        if (format === 'json') equal(JSON.parse(line).id, '019e3c5a7b1f0a2b-ABCD');
        else match(line, combinedForm);
        equal(line.length < 16_384, true);
      },
    ),
  );
});

test('formatLine decodes UTF-8, and escapes it', () => {
  const agent = Buffer.from('Zoë "quoted" \u001b[31m\u2028').toString('latin1');
  const record = createRecord({}, { headers: [['user-agent', agent]] });
  const line = formatLine.json(record, whole);
  equal(JSON.parse(line).user_agent, 'Zoë "quoted" \u001b[31m\u2028');
  match(formatLine.combined(record, whole), /"Zo\\xc3\\xab \\x22quoted\\x22 \\x1b\[31m\\xe2\\x80\\xa8"\n$/);
});

import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { hideSecrets, parseDestination, restoreSecrets } from './destination.ts';
import { parseRecordFilter } from './record-filter.ts';

test('parseDestination reads HTTP, syslog and files, and says what it cannot send to', () => {
  const read = (text: string): unknown => {
    const parsed = parseDestination(text);
    return parsed.ok ? parsed.value : parsed.reason;
  };
  deepEqual(
    read('https://logs.example:8443/in?a=1&header_Authorization=Bearer%20x&insecure-skip-verify=true'),
    {
      kind: 'http',
      url: 'https://logs.example:8443/in?a=1',
      headers: { Authorization: 'Bearer x' },
      isVerified: false,
    },
  );
  deepEqual(read('syslog+tls://siem.example'), {
    kind: 'syslog',
    host: 'siem.example',
    port: 6514,
    isSecure: true,
    isVerified: true,
  });
  deepEqual(read('file:///shop.ndjson?megabytes=2&files=0'), {
    kind: 'file',
    name: 'shop.ndjson',
    bytesMax: 2 * 1024 * 1024,
    filesKept: 0,
  });
  for (const [text, reason] of [
    ['s3://bucket/logs', /is not sent to from here/],
    ['https://user:secret@logs.example/', /no name and password/],
    ['https://logs.example/?header_X=a%0d%0ab', /printable/],
    ['https://logs.example/?header_X=%zz', /printable/],
    ['https://logs.example/?header_Content-Length=1', /set by Gatehouse/],
    ['file:///../../etc/passwd%00', /must be file/],
    ['file:///a%2fb', /must be file/],
    ['file:///a?files=1e9', /files/],
    ['syslog+tcp://h?x=1', /no such option/],
    ['nonsense', /must be a URL/],
    [`https://h/${'x'.repeat(5_000)}`, /at most/],
  ] as const)
    match(String(read(text)), reason, text);
});

test('hideSecrets hides the values of fields, and restoreSecrets gives them back to the same server only', () => {
  const stored = 'https://logs.example/in?a=1&header_X-Key=secret&header_Y=z#f';
  const shown = hideSecrets(stored);
  equal(shown, 'https://logs.example/in?a=1&header_X-Key=********&header_Y=********#f');
  deepEqual(restoreSecrets(shown, stored), { ok: true, value: stored });
  const moved = restoreSecrets(shown.replace('logs.example', 'evil.example'), stored);
  deepEqual(moved, { ok: false, reason: 'the value of header_Y is required' });
  deepEqual(restoreSecrets('https://logs.example/', undefined), { ok: true, value: 'https://logs.example/' });
});

test('restoreSecrets keeps no value for a destination that takes any certificate from now on', () => {
  const stored = 'https://logs.example/in?header_X-Key=secret';
  const shown = hideSecrets(stored);
  const weaken = 'insecure-skip-verify=true';
  for (const weaker of [`${shown}&${weaken}`, `https://logs.example/in?${weaken}&header_X-Key=********`]) {
    const restored = restoreSecrets(weaker, stored);
    match(
      restored.ok ? restored.value : restored.reason,
      /the value of header_X-Key is required: with insecure/,
    );
  }
  const sentAnew = `${stored}&${weaken}`;
  deepEqual(restoreSecrets(sentAnew, stored), { ok: true, value: sentAnew });
  // Before, it accepted any certificate, or now it accepts fewer.
  deepEqual(restoreSecrets(hideSecrets(sentAnew), sentAnew), { ok: true, value: sentAnew });
  deepEqual(restoreSecrets(shown, sentAnew), { ok: true, value: stored });
});

test('parseRecordFilter takes expressions and the JSON of Cloudflare, and bounds both', () => {
  const judge = (filter: string, record: Record<string, string | number>): unknown => {
    const parsed = parseRecordFilter(filter, 'firewall_events');
    return parsed.ok ? parsed.isWanted(record) : parsed.reason;
  };
  const blocked = {
    Action: 'block',
    EdgeResponseStatus: 403,
    ClientRequestPath: '/x/y',
    ClientIP: '192.0.2.7',
  };
  equal(judge('', blocked), true);
  equal(judge('http.request.uri.path contains "/x" and ip.src in {192.0.2.0/24}', blocked), true);
  const json = (where: unknown): string => JSON.stringify({ where });
  equal(judge(json({ key: 'Action', operator: 'eq', value: 'block' }), blocked), true);
  equal(judge(json({ key: 'Action', operator: '!in', value: ['block', 'log'] }), blocked), false);
  equal(
    judge(
      json({
        and: [
          { key: 'EdgeResponseStatus', operator: 'geq', value: '400' },
          { or: [{ key: 'ClientRequestPath', operator: 'startsWith', value: '/x' }] },
        ],
      }),
      blocked,
    ),
    true,
  );
  match(
    String(judge(json({ key: 'Nothing', operator: 'eq', value: 1 }), blocked)),
    /not a field of firewall_events/,
  );
  match(
    String(judge(json({ key: 'Action', operator: 'constructor', value: 'x' }), blocked)),
    /not supported by Logpush/,
  );
  match(String(judge('{"where":', blocked)), /is not JSON/);
  match(String(judge('http.request.headers["x"][0] eq "a"', blocked)), /events do not store/);
  let deep: unknown = { key: 'Action', operator: 'eq', value: 'x' };
  for (let level = 0; level < 20; level++) deep = { and: [deep] };
  match(String(judge(json(deep), blocked)), /nested/);
  const many = Array.from({ length: 200 }, (_, index) => `a${index}`);
  match(String(judge(json({ key: 'Action', operator: 'in', value: many }), blocked)), /more than 100/);
});

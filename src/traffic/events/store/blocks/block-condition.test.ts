import { deepEqual, fail, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { VirtualClock } from '#base';
import { compileCondition, type EventCondition } from '../../condition.ts';
import { EventStore } from '../../event-store.ts';
import { createRecorded } from '../../testing.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

test('compileBlockTest finds by an expression what it says of each event, whatever is in it', async () => {
  const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
  const events = Array.from({ length: 300 }, (_, index) =>
    createRecorded(`expression${index}`, {
      datetime: new Date(startMs + index).toISOString(),
      clientRequestScheme: pick(['http', 'https'], index),
      clientRequestHTTPHost: pick(['a.example', 'b.example', 'odd/host', ''], index >> 1),
      clientRequestPath: pick(['/', '/admin', '/a?b=1', '/é%20x.php', '', '//c.example/d'], index),
      clientRequestQuery: pick(['', '?a=1', '?a=2&b=x', '?%zz'], index >> 2),
      clientRequestHTTPMethodName: pick(['GET', 'POST'], index >> 3),
      userAgent: pick(['curl', 'Mozilla', ''], index),
      clientRefererHost: pick(['', 'r.example'], index >> 1),
      clientRefererScheme: 'https',
      clientIP: pick(['192.0.2.1', '2001:db8::1', '198.51.100.7'], index),
      clientCountryName: pick(['DE', 'FR', ''], index >> 1),
      clientAsn: pick(['64496', '0', ''], index),
      edgeResponseStatus: pick([200, 403, 503], index),
    }),
  );
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-events-'));
  after(() => rmSync(directory, { recursive: true }));
  const open = (): Promise<EventStore> =>
    EventStore.open({
      directory,
      clock: new VirtualClock({ start: startMs }),
      durability: 'os',
      log: (message) => fail(message),
    });
  const first = await open();
  await first.append('zone', events, 86_400_000);
  // Closing writes the tail to blocks.
  await first.close();
  await using store = await open();
  const expressions = [
    'http.request.uri.path contains "/admin"',
    'http.request.uri.path eq "/" and ip.src in {192.0.2.0/24}',
    'http.host eq "a.example" or http.request.method ne "GET"',
    'not ssl and http.request.uri.query contains "a=1"',
    'any(http.request.uri.args["a"][*] eq "2") or http.request.uri.path.extension eq "php"',
    'http.request.full_uri wildcard "https://*.example/*" xor http.user_agent eq ""',
    'lower(http.user_agent) contains "moz" and not (ip.src.country in {"DE" "FR"})',
    'ip.src.asnum eq 64496 and http.response.code lt 500',
    `http.request.timestamp.msec ge 0 and http.request.timestamp.sec ge ${startMs / 1000}`,
    'http.referer contains "r.example" and raw.http.request.uri contains "%20"',
    'ip.src.is_in_european_union or len(http.request.uri) gt 20',
  ];
  for (const expression of expressions) {
    const isMatch = compileCondition({ kind: 'expression', expression });
    const wanted = events.filter(({ event }) => isMatch(event)).map(({ event: { id } }) => id);
    const condition: EventCondition = { kind: 'expression', expression };
    const found = await store.find('zone', { ...all, condition }, { limit: 1_000, order: 'oldest' });
    deepEqual(
      found.events.map(({ id }) => id),
      wanted,
      expression,
    );
    ok(wanted.length > 0 && wanted.length <= events.length, expression);
  }
});

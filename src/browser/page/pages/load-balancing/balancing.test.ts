import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { describeOrigin, formatOrigins, parseOrigins, type Pool } from './balancing.ts';

test('parseOrigins reads what formatOrigins writes', () => {
  const text = 'one 192.0.2.1:8080\ntwo app.example 0.5';
  const origins = parseOrigins(`${text}\n\n`);
  deepEqual(origins, [
    { name: 'one', address: '192.0.2.1', port: 8080 },
    { name: 'two', address: 'app.example', weight: 0.5 },
  ]);
  deepEqual(formatOrigins(origins.map((each) => ({ enabled: true, weight: 1, ...each }))), text);
});

test('describeOrigin: an origin is unhealthy if one host reports that', () => {
  const origin = { name: 'one', address: '192.0.2.1', enabled: true, weight: 1 };
  const state = { healthy: true, since: '2026-01-01T00:00:00Z', rtt: '2ms' };
  const seen = (healthy: boolean) => ({
    healthy,
    origins: [{ '192.0.2.1': { ...state, healthy, ...(healthy ? {} : { failure_reason: 'ECONNREFUSED' }) } }],
  });
  const pool = { enabled: true, origins: [origin], health: {} } as unknown as Pool;
  deepEqual(describeOrigin(pool, origin).text, 'unknown');
  deepEqual(describeOrigin({ ...pool, health: { a: seen(true), b: seen(true) } }, origin).text, 'healthy');
  const unasked = { healthy: true, origins: [{ '192.0.2.1': { healthy: true, since: state.since } }] };
  deepEqual(describeOrigin({ ...pool, health: { a: unasked } }, origin).text, 'unknown');
  deepEqual(describeOrigin({ ...pool, health: { a: seen(true), b: seen(false) } }, origin), {
    text: 'unhealthy',
    reasons: ['b: ECONNREFUSED'],
  });
  deepEqual(describeOrigin(pool, { ...origin, enabled: false }).text, 'disabled');
});

/** The number of a zone's requests, and edges' other counts of them. */
import {
  addCounts,
  createCounts,
  minutesKeptMs,
  placeOfField,
  type TrafficCounts,
  type TrafficField,
} from '#events';
import { fault, ok, type Result, securityCodes } from '#contract';
import { quoteShort, readTimes } from '../events/search.ts';
import type { ObjectsHandlers } from '../several-objects.ts';

const intervalsMs: Readonly<Record<string, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '1d': 86_400_000,
};
const hourMs = 3_600_000;

/** For a default interval: about as many points as a chart can show. */
const pointsByDefaultMax = 200;

export const trafficHandlers: ObjectsHandlers<'traffic'> = {
  async 'traffic.get'({ directory, traffic, nowMs }, { path, query }) {
    const zone = directory.zones.get(path['zone_id']!)!;
    const times = readTimes(query, zone, nowMs);
    const untilMs = Math.min(times.untilMs, nowMs + 1);
    const intervalMs = chooseInterval(query.interval, untilMs - times.sinceMs, nowMs - times.sinceMs);
    const sinceMs = Math.floor(times.sinceMs / intervalMs) * intervalMs;
    const spans = await traffic.read(zone.id, { sinceMs, untilMs, intervalMs });
    const totals = createCounts();
    const points: Result<'traffic.get'>['points'][number][] = [];
    for (let atMs = sinceMs; atMs < untilMs; atMs += intervalMs) {
      const counts = spans.get(atMs) ?? createCounts();
      addCounts(totals, counts);
      points.push({ datetime: new Date(atMs).toISOString(), ...showCounts(counts) });
    }
    return ok({
      since: new Date(sinceMs).toISOString(),
      until: new Date(sinceMs + points.length * intervalMs).toISOString(),
      interval_seconds: intervalMs / 1_000,
      totals: showCounts(totals),
      points,
    });
  },

  async 'traffic.record'({ traffic }, { body: { batch, rows } }) {
    traffic.add(
      rows.map(({ zone_id: zoneId, minute, counts }) => ({ zoneId, minute, counts })),
      batch,
    );
    return ok({ rows: rows.length });
  },
};

/** Single minutes are kept for a limited time: a range that starts before that is counted at least by hours. */
function chooseInterval(given: string | undefined, lengthMs: number, ageMs: number): number {
  const leastMs = ageMs > minutesKeptMs ? hourMs : 0;
  if (given === undefined || given === '') {
    const all = Object.values(intervalsMs);
    return all.find((ms) => ms >= leastMs && lengthMs / ms <= pointsByDefaultMax) ?? all.at(-1)!;
  }
  const ms = Object.hasOwn(intervalsMs, given) ? intervalsMs[given] : undefined;
  if (ms !== undefined) return Math.max(ms, leastMs);
  const reason = `interval must be one of ${Object.keys(intervalsMs).join(', ')}: ${quoteShort(given)}`;
  throw fault(securityCodes.intervalInvalid, { fill: { reason } });
}

function showCounts(counts: TrafficCounts): Result<'traffic.get'>['totals'] {
  const count = (field: TrafficField): number => counts[placeOfField[field]]!;
  const verdicts = {
    forwarded: count('forwarded'),
    blocked: count('blocked'),
    challenged: count('challenged'),
    answered: count('answered'),
    unserved: count('unserved'),
  };
  return {
    requests: Object.values(verdicts).reduce((sum, each) => sum + each, 0),
    requests_with_events: count('withEvents'),
    verdicts,
    statuses: {
      '1xx': count('status1xx'),
      '2xx': count('status2xx'),
      '3xx': count('status3xx'),
      '4xx': count('status4xx'),
      '5xx': count('status5xx'),
      none: count('statusNone'),
    },
    received_bytes: count('receivedBytes'),
    sent_bytes: count('sentBytes'),
  };
}

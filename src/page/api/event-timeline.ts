/** Events counted over time, by what was done to the request. */
import { queryOptions } from '@tanstack/react-query';
import { countEvents, type EventSearch, type EventSummary } from './events.ts';
import { sinceDefault, type Timeline } from './timeline.ts';
import { findVerdict, type Verdict, verdicts } from './verdicts.ts';

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const stretches = ['10s', '30s', '1m', '2m', '5m', '10m', '15m', '30m', '1h', '2h', '3h', '6h', '12h', '1d'];
const stretchesMax = 72;

/** Undefined for what is neither a time nor a span. */
function parseTime(text: string, nowMs: number): number | undefined {
  const span = parseSpan(text);
  if (span !== undefined) return nowMs - span;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * unitsMs[unit!]!;
}

export function timelineQuery(zoneId: string, search: EventSearch) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'event-timeline', search],
    async queryFn({ signal }): Promise<Timeline> {
      const untilMs = parseTime(search.until ?? '0s', Date.now()) ?? Date.now();
      const sinceMs = parseTime(search.since ?? sinceDefault, Date.now()) ?? untilMs - unitsMs['d']!;
      const interval = chooseInterval(untilMs - sinceMs);
      const summary = await countEvents(zoneId, search, { by: ['action'], interval, limit: 10_000, signal });
      return layOut(summary, { sinceMs, untilMs, stretchMs: parseSpan(interval)! });
    },
  });
}

function chooseInterval(rangeMs: number): string {
  return stretches.find((each) => rangeMs / parseSpan(each)! <= stretchesMax) ?? stretches.at(-1)!;
}

const none = { block: 0, challenge: 0, log: 0, pass: 0 } as const;

interface Range {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly stretchMs: number;
}

function layOut(summary: EventSummary, { sinceMs, untilMs, stretchMs }: Range): Timeline {
  const first = Math.floor(sinceMs / stretchMs) * stretchMs;
  const length = Math.min(400, Math.max(1, Math.ceil((untilMs - first) / stretchMs)));
  const counts = Array.from({ length }, () => ({ ...none }));
  const totals: Record<Verdict, number> = { ...none };
  for (const { count, datetime, dimensions } of summary.groups) {
    const verdict = findVerdict(String(dimensions['action']));
    totals[verdict] += count;
    const stretch = counts[Math.floor((Date.parse(datetime ?? '') - first) / stretchMs)];
    if (stretch !== undefined) stretch[verdict] += count;
  }
  return {
    series: verdicts,
    noun: ['event', 'events'],
    stretchMs,
    stretches: counts.map((each, index) => ({ startMs: first + index * stretchMs, counts: each })),
    totals,
    total: summary.total,
    isComplete: summary.is_complete,
  };
}

/** Events over time, by what happened to the request. */
import { queryOptions } from '@tanstack/react-query';
import { countEvents, type EventSearch, type EventSummary } from './events.ts';
import { sinceDefault, type Timeline } from './timeline.ts';
import { findVerdict, type Verdict, verdicts } from './verdicts.ts';

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const stretches = ['10s', '30s', '1m', '2m', '5m', '10m', '15m', '30m', '1h', '2h', '3h', '6h', '12h', '1d'];
const stretchesMax = 72;

/** Undefined for a text that is neither a time nor a duration. */
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

export interface TimelineOptions {
  /** The length of an interval; by default chosen by the range. */
  readonly interval?: string | undefined;
  /** Whether the preceding period is counted as well. */
  readonly isCompared?: boolean;
}

/** The most bars that are distinguishable. */
const stretchesShownMax = 1_500;

/** Whether this many intervals can be shown. */
export function fitsInterval(search: EventSearch, interval: string): boolean {
  const { sinceMs, untilMs } = findRange(search);
  return (untilMs - sinceMs) / parseSpan(interval)! <= stretchesShownMax;
}

function findRange({ since = sinceDefault, until = '0s' }: EventSearch): {
  readonly sinceMs: number;
  readonly untilMs: number;
} {
  const nowMs = Date.now();
  const untilMs = parseTime(until, nowMs) ?? nowMs;
  return { sinceMs: parseTime(since, nowMs) ?? untilMs - unitsMs['d']!, untilMs };
}

export function timelineQuery(
  zoneId: string,
  search: EventSearch,
  { interval: wanted, isCompared = false }: TimelineOptions = {},
) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'event-timeline', search, wanted, isCompared],
    async queryFn({ signal }): Promise<Timeline> {
      const { sinceMs, untilMs } = findRange(search);
      const interval =
        wanted !== undefined && parseSpan(wanted) !== undefined && fitsInterval(search, wanted)
          ? wanted
          : chooseInterval(untilMs - sinceMs);
      const count = (range: EventSearch) =>
        countEvents(zoneId, { ...search, ...range }, { by: ['action'], interval, limit: 10_000, signal });
      const stretchMs = parseSpan(interval)!;
      const lengthMs = untilMs - sinceMs;
      const earlier = { sinceMs: sinceMs - lengthMs, untilMs: sinceMs, stretchMs };
      const [now, before] = await Promise.all([
        count({}),
        isCompared
          ? count({
              since: new Date(earlier.sinceMs).toISOString(),
              until: new Date(earlier.untilMs).toISOString(),
            })
          : undefined,
      ]);
      const timeline = layOut(now, { sinceMs, untilMs, stretchMs });
      if (before === undefined) return timeline;
      const { stretches: shown, total } = layOut(before, earlier);
      const counts = shown.map(({ counts: each }) => Object.values(each).reduce((sum, one) => sum + one, 0));
      return { ...timeline, before: { total, counts: counts.slice(0, timeline.stretches.length) } };
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
  const length = Math.min(stretchesShownMax + 1, Math.max(1, Math.ceil((untilMs - first) / stretchMs)));
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

/** A description of a chart in words. */
import type { Timeline } from '../../api/timeline.ts';
import { formatTime } from '../time.tsx';

/** `1,204 events, 18 % more than in the period before` */
export function describeTotal({ noun, total, isComplete, before }: Timeline): string {
  const all = `${isComplete ? '' : 'More than '}${total.toLocaleString()} ${noun[total === 1 ? 0 : 1]}`;
  return before === undefined ? all : `${all}, ${compare(total, before.total)}`;
}

function compare(now: number, before: number): string {
  if (now === before) return 'as many as in the period before';
  if (before === 0) return 'none in the period before';
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  return `${percent.toLocaleString()} % ${now > before ? 'more' : 'fewer'} than in the period before`;
}

/** `12/3/2026, 2:00 PM: 15 events (12 blocked, 3 logged), 9 in the period before` */
export function describeStretch({ series, noun, stretches, before }: Timeline, place: number): string {
  const { startMs, counts } = stretches[place]!;
  const parts = series.filter(({ name }) => counts[name]! > 0);
  const total = parts.reduce((sum, { name }) => sum + counts[name]!, 0);
  const named = parts.map(({ name, label }) => `${counts[name]!.toLocaleString()} ${label.toLowerCase()}`);
  const details = named.length === 0 ? '' : ` (${named.join(', ')})`;
  const earlier =
    before === undefined ? '' : `, ${(before.counts[place] ?? 0).toLocaleString()} in the period before`;
  return `${formatTime(new Date(startMs))}: ${total.toLocaleString()} ${noun[total === 1 ? 0 : 1]}${details}${earlier}`;
}

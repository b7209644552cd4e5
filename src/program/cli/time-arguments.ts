/** Times and durations on the command line. */
import { UsageError } from './command.ts';

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** An RFC 3339 date and time, in milliseconds. `name` is the option that the user wrote it for. */
export function readTime(name: string, text: string): number {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(`${name} must be a time such as 2030-01-31T12:00:00Z: ${text}`);
}

/** `90s`, `15m`, `1h`, `1h30m`, in milliseconds. */
export function readSpan(name: string, text: string): number {
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|[smhd]))+$/.test(text))
    throw new UsageError(`${name} must be a length of time such as 90s, 15m, 1h30m or 7d: ${text}`);
  let sum = 0;
  for (const [, count, unit] of text.matchAll(/([\d.]+)(ms|[smhd])/g)) sum += Number(count) * unitsMs[unit!]!;
  return sum;
}

/** Durations as the configuration of a step writes them: milliseconds, or a text such as `30 seconds`. */
const dayMs = 24 * 60 * 60_000;

const unitMs: ReadonlyMap<string, number> = new Map([
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 60 * 60_000],
  ['day', dayMs],
  ['week', 7 * dayMs],
  ['month', 30 * dayMs],
  ['year', 365.25 * dayMs],
]);

/** In milliseconds; NaN if it is not a duration. */
export function readDuration(value: unknown): number {
  if (typeof value === 'number') return value >= 0 ? value : NaN;
  if (typeof value !== 'string' || value.trim() === '') return NaN;
  if (Number(value) >= 0) return Number(value);
  const [, amount, unit] = /^(\S+) +(\w+?)s?$/.exec(value) ?? [];
  const ms = Number(amount ?? NaN) * (unitMs.get(unit ?? '') ?? NaN);
  return ms >= 0 ? ms : NaN;
}

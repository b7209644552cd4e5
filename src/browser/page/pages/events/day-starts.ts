/**
 * Which events of a list are the first of their day, in the reader's time zone. A list may have a hundred thousand, and
 * the height of each is needed: times are compared as texts, and a date is created only for each day.
 */
interface Dated {
  /** RFC 3339 in UTC, always with the same number of digits. */
  readonly datetime: string;
}

export function findDayStarts(events: readonly Dated[]): ReadonlySet<number> {
  const starts = new Set<number>();
  let day = { start: '', end: '' };
  for (const [index, { datetime }] of events.entries()) {
    if (datetime >= day.start && datetime < day.end) continue;
    starts.add(index);
    day = findDay(datetime);
  }
  return starts;
}

function findDay(datetime: string): { readonly start: string; readonly end: string } {
  const date = new Date(datetime);
  date.setHours(0, 0, 0, 0);
  const start = date.toISOString();
  date.setDate(date.getDate() + 1);
  return { start, end: date.toISOString() };
}

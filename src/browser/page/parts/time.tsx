/** Times in the reader's time zone and language. The exact time is in the title and machine-readable. */
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

function formatAgo(date: Date, now: number = Date.now()): string {
  const seconds = Math.round((date.getTime() - now) / 1000);
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units.at(-1)!;
  return relative.format(Math.round(seconds / size), unit);
}

const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const clockOnly = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function formatTime(date: Date): string {
  return absolute.format(date);
}

export function Time({ at, isRelative = false }: { readonly at: string; readonly isRelative?: boolean }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={formatTime(date)}>
      {isRelative ? formatAgo(date) : formatTime(date)}
    </time>
  );
}

/** Without the day, where a heading shows it. */
export function ClockTime({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={formatTime(date)}>
      {clockOnly.format(date)}
    </time>
  );
}

export function Day({ at }: { readonly at: string }) {
  return dayOnly.format(new Date(at));
}

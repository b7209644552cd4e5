/** The labels of a time axis in the reader's language: times, with the date below the first of each day. */
const daySeconds = 86_400;

export function formatAxisTimes(
  seconds: readonly number[],
  stepSeconds: number,
  locale?: string,
): readonly string[] {
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  let dayBefore = '';
  return seconds.map((at) => {
    const date = new Date(at * 1000);
    const today = day.format(date);
    if (stepSeconds >= daySeconds) return today;
    const isNew = today !== dayBefore;
    dayBefore = today;
    return isNew ? `${clock.format(date)}\n${today}` : clock.format(date);
  });
}

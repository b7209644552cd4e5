let secondFormatted = Number.NaN;
let secondText = '';

/** As `toISOString`, which is a tenth of the cost of an event, but for the milliseconds once a second. */
export function formatTime(timeMs: number): string {
  const second = Math.floor(timeMs / 1_000);
  if (second !== secondFormatted) {
    secondFormatted = second;
    secondText = new Date(second * 1_000).toISOString().slice(0, -4);
  }
  return `${secondText}${String(Math.floor(timeMs) - second * 1_000).padStart(3, '0')}Z`;
}

let secondFormatted = Number.NaN;
let secondText = '';

/**
 * Equals `toISOString`, which is a tenth of the cost of an event, but formats everything except the milliseconds only
 * once per second.
 */
export function formatTime(timeMs: number): string {
  const second = Math.floor(timeMs / 1_000);
  if (second !== secondFormatted) {
    secondFormatted = second;
    secondText = new Date(second * 1_000).toISOString().slice(0, -4);
  }
  return `${secondText}${String(Math.floor(timeMs) - second * 1_000).padStart(3, '0')}Z`;
}

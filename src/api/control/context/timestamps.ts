/** Times as the API shows them: RFC 3339, with seconds or microseconds, as Cloudflare does for each resource. */

/** The last second and its text: calls that arrive together need the same. */
let lastSecond = 0;
let lastText = '1970-01-01T00:00:00Z';

export function toSeconds(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastText = new Date(second * 1000).toISOString().replace('.000Z', 'Z');
    lastSecond = second;
  }
  return lastText;
}

export function toMicroseconds(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

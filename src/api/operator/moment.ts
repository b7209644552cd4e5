/** A moment of history in the notation for operators. */
export type Moment = { readonly bookmark: string } | { readonly time: number };

const bookmarkPattern = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
const agoPattern = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+(?:\s+ago)?$/;
const isoPattern = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** The notations of a moment, for messages. */
export const momentForms =
  'a time such as 2026-01-31T12:00:00Z, how long ago such as 1h or 2d12h, or a bookmark';

/** Undefined if the text is not a moment. A date without a time zone is in that of this machine. */
export function parseMoment(text: string, now: number): Moment | undefined {
  const written = text.trim();
  if (bookmarkPattern.test(written)) return { bookmark: written };
  if (written === 'now') return { time: now };
  if (agoPattern.test(written)) return { time: now - measure(written) };
  if (!isoPattern.test(written)) return undefined;
  const time = Date.parse(written.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : { time };
}

function measure(text: string): number {
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g))
    ms += Number(amount) * unitMs[unit!]!;
  return ms;
}

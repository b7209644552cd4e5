import type { BinaryRange, KeyValuePair } from './key-values.ts';

/** Rows of a range with newer changes over them (null: deleted), in the range's order and limit. */
export function mergeRange(
  range: BinaryRange,
  overlay: ReadonlyMap<string, Uint8Array | null>,
  rows: KeyValuePair[],
): KeyValuePair[] {
  if (overlay.size === 0 && (range.limit === undefined || rows.length <= range.limit)) return rows;
  const merged = rows.filter(([key]) => !overlay.has(key));
  for (const [key, value] of overlay) {
    if (value !== null && key >= range.start && (range.end === undefined || key < range.end))
      merged.push([key, value]);
  }
  if (overlay.size > 0) {
    const sign = range.reverse ? -1 : 1;
    merged.sort(([a], [b]) => (a < b ? -sign : a > b ? sign : 0));
  }
  return range.limit === undefined ? merged : merged.slice(0, range.limit);
}

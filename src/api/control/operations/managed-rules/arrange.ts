/** Search and sort of lists that are small enough to be in memory. */
export interface Arrangement<T> {
  /** Undefined for conditions that the client did not set. */
  readonly conditions: readonly (((item: T) => boolean) | undefined)[];
  readonly match: 'all' | 'any' | undefined;
  /** Undefined keeps the existing order. */
  readonly compare: ((a: T, b: T) => number) | undefined;
  readonly direction: 'asc' | 'desc' | undefined;
}

export function arrange<T>(items: readonly T[], arrangement: Arrangement<T>): T[] {
  const { conditions, match, compare, direction } = arrangement;
  const asked = conditions.filter((condition) => condition !== undefined);
  const found = items.filter((item) =>
    match === 'any' && asked.length > 0
      ? asked.some((condition) => condition(item))
      : asked.every((condition) => condition(item)),
  );
  if (compare !== undefined) found.sort(compare);
  return direction === 'desc' ? found.toReversed() : found;
}

/** Compares by code unit, so that the order is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

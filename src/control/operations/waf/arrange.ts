/** Search and order of lists that are small enough to be in memory. */
export interface Arrangement<T> {
  /** Those that the client did not ask for are undefined. */
  readonly conditions: readonly (((item: T) => boolean) | undefined)[];
  readonly match: 'all' | 'any' | undefined;
  /** Nothing: the order they are in. */
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

/** By code unit: the same everywhere. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

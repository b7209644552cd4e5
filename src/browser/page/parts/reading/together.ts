/** Several reads as one. */

/** The interface of react-query. */
export interface Readable<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

type Reads = Readonly<Record<string, Readable<unknown>>>;
type Together<P extends Reads> = {
  readonly [Name in keyof P]: NonNullable<P[Name]['data']> | Extract<P[Name]['data'], null>;
};

/** Several reads as one: loaded when all are, failed when one is. */
export function together<P extends Reads>(parts: P): Readable<Together<P>> {
  const all = Object.values(parts);
  const entries = Object.entries(parts).map(([name, { data }]) => [name, data] as const);
  const isThere = all.every(({ data }) => data !== undefined);
  return {
    data: isThere ? (Object.fromEntries(entries) as Together<P>) : undefined,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => all.filter(({ error }) => error !== null).map((each) => each.refetch()),
  };
}

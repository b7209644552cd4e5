/** Counts events by common values, in bounded memory. */
import type { EventField, SecurityEvent } from './event.ts';
import { groupsHeldMax, groupsMax } from './limits.ts';

/** What the events of a group share: a field value, or a time bucket, named by its start. */
export type Dimension = { readonly field: EventField } | { readonly bucketMs: number };

export interface GroupOrder {
  /** The count, or the index of a dimension. */
  readonly by: 'count' | number;
  readonly direction: 'asc' | 'desc';
}

export interface GroupOptions {
  /** Without dimensions, all events are one group. */
  readonly dimensions: readonly Dimension[];
  /** The largest groups first by default. Ties are sorted by the dimensions. */
  readonly order?: readonly GroupOrder[];
  readonly limit: number;
}

/** Events that share these values. */
export interface EventTally {
  readonly count: number;
  /** One value per dimension; times are RFC 3339 with seconds. */
  readonly values: readonly (string | number)[];
  /** The time of the newest of them. */
  readonly lastMs: number;
}

export interface EventGroups {
  /** The number of all events, including those whose groups are not shown. */
  readonly total: number;
  readonly groups: readonly EventTally[];
  /** Events that were not grouped because there are too many groups. */
  readonly ungrouped: number;
  /** False if there are more events than one count reads. */
  readonly isComplete: boolean;
}

type DimensionReader = (event: SecurityEvent, atMs: number) => string | number;

export class GroupCounter {
  readonly dimensions: readonly Dimension[];
  readonly #options: GroupOptions;
  readonly #reads: readonly DimensionReader[];
  readonly #groups = new Map<
    string | number,
    { count: number; lastMs: number; readonly values: EventTally['values'] }
  >();
  #total = 0;
  #ungrouped = 0;

  constructor(options: GroupOptions) {
    this.#options = options;
    this.dimensions = options.dimensions;
    this.#reads = options.dimensions.map(createReader);
  }

  add(event: SecurityEvent, atMs: number): void {
    this.addTally({ count: 1, values: this.#reads.map((read) => read(event, atMs)), lastMs: atMs });
  }

  addTally({ count, values, lastMs }: EventTally): void {
    this.#total += count;
    // All values of a field are texts, or all are numbers.
    const key = values.length === 1 ? values[0]! : JSON.stringify(values);
    const group = this.#groups.get(key);
    if (group !== undefined) {
      group.count += count;
      group.lastMs = Math.max(group.lastMs, lastMs);
    } else if (this.#groups.size < groupsHeldMax) this.#groups.set(key, { count, lastMs, values });
    else this.#ungrouped += count;
  }

  getResult(isComplete: boolean): EventGroups {
    const { order = [], limit } = this.#options;
    const all: readonly GroupOrder[] = [
      ...(order.length === 0 ? [largestFirst] : order),
      ...this.#reads.map((_, by): GroupOrder => ({ by, direction: 'asc' })),
    ];
    const groups = [...this.#groups.values()]
      .toSorted((a, b) => compare(a, b, all))
      .slice(0, Math.min(limit, groupsMax));
    return { total: this.#total, groups, ungrouped: this.#ungrouped, isComplete };
  }
}

const largestFirst: GroupOrder = { by: 'count', direction: 'desc' };

function createReader(dimension: Dimension): DimensionReader {
  if ('field' in dimension) return (event) => event[dimension.field];
  const { bucketMs } = dimension;
  return (_, atMs) => formatBucket(atMs, bucketMs);
}

/** The start of the bucket that contains this time. */
export function formatBucket(atMs: number, bucketMs: number): string {
  return `${new Date(Math.floor(atMs / bucketMs) * bucketMs).toISOString().slice(0, 19)}Z`;
}

function compare(a: EventTally, b: EventTally, order: readonly GroupOrder[]): number {
  for (const { by, direction } of order) {
    const [one, other] = by === 'count' ? [a.count, b.count] : [a.values[by]!, b.values[by]!];
    if (one !== other) return (one < other ? -1 : 1) * (direction === 'asc' ? 1 : -1);
  }
  return 0;
}

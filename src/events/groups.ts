/** Counts events by common values, in bounded memory. */
import type { EventField, SecurityEvent } from './event.ts';
import { groupsHeldMax, groupsMax } from './limits.ts';

/** What the events of a group have in common: a field, or a time bucket, named by its start. */
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

interface EventGroup {
  readonly count: number;
  /** One value per dimension; times are RFC 3339 with seconds. */
  readonly values: readonly (string | number)[];
}

export interface EventGroups {
  /** The number of all events, including those whose groups are not shown. */
  readonly total: number;
  readonly groups: readonly EventGroup[];
  /** Events that were not grouped because there are too many groups. */
  readonly ungrouped: number;
  /** False if there are more events than one count reads. */
  readonly isComplete: boolean;
}

type Read = (event: SecurityEvent, atMs: number) => string | number;

export class GroupCounter {
  /** The fields that are read of each event. */
  readonly fields: readonly EventField[];
  readonly #options: GroupOptions;
  readonly #reads: readonly Read[];
  readonly #groups = new Map<string, { count: number; readonly values: readonly (string | number)[] }>();
  #total = 0;
  #ungrouped = 0;

  constructor(options: GroupOptions) {
    this.#options = options;
    this.fields = options.dimensions.flatMap((dimension) => ('field' in dimension ? [dimension.field] : []));
    this.#reads = options.dimensions.map(createReader);
  }

  add(event: SecurityEvent, atMs: number): void {
    this.#total++;
    const values = this.#reads.map((read) => read(event, atMs));
    const key = JSON.stringify(values);
    const group = this.#groups.get(key);
    if (group !== undefined) group.count++;
    else if (this.#groups.size < groupsHeldMax) this.#groups.set(key, { count: 1, values });
    else this.#ungrouped++;
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

function createReader(dimension: Dimension): Read {
  if ('field' in dimension) return (event) => event[dimension.field];
  const { bucketMs } = dimension;
  return (_, atMs) => `${new Date(Math.floor(atMs / bucketMs) * bucketMs).toISOString().slice(0, 19)}Z`;
}

function compare(a: EventGroup, b: EventGroup, order: readonly GroupOrder[]): number {
  for (const { by, direction } of order) {
    const [one, other] = by === 'count' ? [a.count, b.count] : [a.values[by]!, b.values[by]!];
    if (one !== other) return (one < other ? -1 : 1) * (direction === 'asc' ? 1 : -1);
  }
  return 0;
}

/** Counts events by fields and by intervals of time. */
import { didYouMean } from '#text';
import { type Dimension, eventFields, type GroupOrder, isEventField } from '#events';
import { fault, type Result, securityCodes, type SecuritySearch } from '#contract';
import type { ZoneFacts } from '../../context/directory.ts';
import type { ObjectsContext } from '../several-objects.ts';
import { parseSpan, quoteShort, readRange } from './search.ts';

export interface SummaryQuery extends SecuritySearch {
  readonly by: readonly string[];
  /** The length of an interval. */
  readonly interval: string | undefined;
  readonly limit: number;
}

export async function summarize(
  context: ObjectsContext,
  zone: ZoneFacts,
  query: SummaryQuery,
): Promise<Result<'security.summarize'>> {
  const { by, interval, limit } = query;
  const buckets = readBucket(interval);
  const order: readonly GroupOrder[] = buckets.map((_, place) => ({ by: place, direction: 'asc' }));
  const { total, groups, ungrouped, isComplete } = await context.activity.group(
    zone.id,
    readRange(query, zone, context.nowMs),
    {
      dimensions: [...buckets, ...readFields(by)],
      order: [...order, { by: 'count', direction: 'desc' }],
      limit,
    },
  );
  return {
    total,
    groups: groups.map(({ count, values }) => ({
      count,
      ...(buckets.length === 0 ? {} : { datetime: String(values[0]) }),
      dimensions: Object.fromEntries(by.map((field, place) => [field, values[place + buckets.length]!])),
    })),
    ungrouped,
    is_complete: isComplete,
  };
}

type FacetQuery = Omit<SummaryQuery, 'interval'>;

/** Counts all fields in one pass over the log. */
export async function listFacets(
  context: ObjectsContext,
  zone: ZoneFacts,
  query: FacetQuery,
): Promise<Result<'security.listFacets'>> {
  const { by, limit } = query;
  const fields = readFields(by);
  const counted = await context.activity.groupEach(
    zone.id,
    readRange(query, zone, context.nowMs),
    fields.map((field, index) => ({
      dimensions: by[index] === 'ruleId' ? [field, { field: 'description' }] : [field],
      limit,
    })),
  );
  return {
    total: counted[0]?.total ?? 0,
    facets: counted.map(({ groups }, index) => ({
      field: by[index]!,
      values: groups.map(({ count, values: [value, name] }) => ({
        value: value!,
        count,
        ...(name === undefined || name === '' ? {} : { name: String(name) }),
      })),
    })),
    is_complete: counted.every(({ isComplete }) => isComplete),
  };
}

/** Returns one dimension, or none. */
function readBucket(interval: string | undefined): Dimension[] {
  if (interval === undefined || interval === '') return [];
  const bucketMs = parseSpan(interval);
  if (bucketMs === undefined || bucketMs === 0 || bucketMs > 30 * 86_400_000) {
    throw createDimensionFault(`interval must be a length of time like 15m: ${quoteShort(interval)}`);
  }
  return [{ bucketMs }];
}

function readFields(names: readonly string[]): Dimension[] {
  if (new Set(names).size < names.length) throw createDimensionFault('by names a field twice');
  return names.map((field) => {
    if (isEventField(field)) return { field };
    throw createDimensionFault(
      `there is no field ${quoteShort(field)}${didYouMean(field, Object.keys(eventFields))}`,
    );
  });
}

function createDimensionFault(reason: string): Error {
  return fault(securityCodes.dimensionInvalid, { fill: { reason } });
}

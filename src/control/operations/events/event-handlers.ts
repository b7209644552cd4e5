/** Operations on the activity log of a zone. They run outside of objects, because a log answers in many small turns. */
import { didYouMean } from '#base';
import { type Dimension, eventFields, explainEvent, type GroupOrder, isEventField } from '#events';
import { cursorPage, fault, ok, securityCodes, type securityOperations } from '#contract';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import type { ZoneFacts } from '../../context/directory.ts';
import { exportEvents } from './export.ts';
import { readCondition, readCursor, writeCursor, parseSpan, readRange, quoteShort } from './search.ts';
import { openTail } from './tail.ts';
import { trace } from './trace.ts';

type Path = Readonly<Record<string, string>>;

export const eventHandlers: ObjectsHandlers<typeof securityOperations> = {
  async 'security.list'(context, { path, query }) {
    const zone = findZone(context, path);
    const { order = 'newest', cursor, per_page: limit } = query;
    const isGiven = cursor !== undefined && cursor !== '';
    const page = await context.activity.find(zone.id, readRange(query, zone, context.nowMs), {
      limit,
      order,
      ...(isGiven ? { cursor: readCursor(cursor) } : {}),
    });
    return cursorPage(page.events, { after: page.cursor && writeCursor(page.cursor) });
  },

  async 'security.summarize'(context, { path, query }) {
    const zone = findZone(context, path);
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
    return ok({
      total,
      groups: groups.map(({ count, values }) => ({
        count,
        ...(buckets.length === 0 ? {} : { datetime: String(values[0]) }),
        dimensions: Object.fromEntries(by.map((field, place) => [field, values[place + buckets.length]!])),
      })),
      ungrouped,
      is_complete: isComplete,
    });
  },

  async 'security.export'(context, { path, query }) {
    const zone = findZone(context, path);
    const range = readRange(query, zone, context.nowMs);
    return exportEvents(context.activity, { zone, range, format: query.format ?? 'ndjson' });
  },

  async 'security.tail'(context, { path, query }) {
    return openTail(context, { zoneId: findZone(context, path).id, condition: readCondition(query) });
  },

  async 'security.get'(context, { path }) {
    return ok((await requireEvent(context, path)).event);
  },

  async 'security.explain'(context, { path }) {
    const { event, judged } = await requireEvent(context, path);
    const configuration = await context.configurations.readConfiguration(path['zone_id']!);
    return ok(explainEvent(event, judged, configuration));
  },

  'security.trace': (context, { path, body }) => trace(context, findZone(context, path), body),

  async 'graphql.query'(context, { body }) {
    // An eighth of all code, which a start need not wait for.
    const { answerGraphql } = await import('./graphql/answer-graphql.ts');
    return await answerGraphql(context, body);
  },
};

function findZone({ directory }: ObjectsContext, path: Path): ZoneFacts {
  return directory.zones.get(path['zone_id']!)!;
}

async function requireEvent({ activity }: ObjectsContext, path: Path) {
  const id = path['event_id']!;
  const found = await activity.get(path['zone_id']!, id);
  if (found === undefined) throw fault(securityCodes.eventNotFound, { fill: { event: id } });
  return found;
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

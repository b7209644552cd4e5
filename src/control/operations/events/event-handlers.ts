/** Operations on the activity log of a zone. They run outside of objects: a log answers in many small turns. */
import { didYouMean } from '#base';
import { type Dimension, eventFields, type GroupOrder, isEventField } from '#events';
import { cursorPage, fault, ok, securityCodes, type securityOperations } from '#api';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import type { ZoneFacts } from '../../context/directory.ts';
import { exportEvents } from './export.ts';
import { answerGraphql } from './graphql/answer-graphql.ts';
import { conditionOf, cursorFrom, cursorText, parseSpan, rangeOf, shown } from './search.ts';
import { openTail } from './tail.ts';
import { trace } from './trace.ts';

type Path = Readonly<Record<string, string>>;

export const eventHandlers: ObjectsHandlers<typeof securityOperations> = {
  async 'security.list'(context, { path, query }) {
    const zone = zoneOf(context, path);
    const { order = 'newest', cursor, per_page: limit } = query;
    const isGiven = cursor !== undefined && cursor !== '';
    const page = await context.activity.find(zone.id, rangeOf(query, zone, context.nowMs), {
      limit,
      order,
      ...(isGiven ? { cursor: cursorFrom(cursor) } : {}),
    });
    return cursorPage(page.events, { after: page.cursor && cursorText(page.cursor) });
  },

  async 'security.summarize'(context, { path, query }) {
    const zone = zoneOf(context, path);
    const { by, interval, limit } = query;
    const buckets = bucketOf(interval);
    const order: readonly GroupOrder[] = buckets.map((_, place) => ({ by: place, direction: 'asc' }));
    const { total, groups, ungrouped, isComplete } = await context.activity.group(
      zone.id,
      rangeOf(query, zone, context.nowMs),
      {
        dimensions: [...buckets, ...fieldsOf(by)],
        order: [...order, { by: 'count', direction: 'desc' }],
        limit,
      },
    );
    return ok({
      total,
      groups: groups.map(({ count, values }) => ({
        count,
        ...(buckets.length === 0 ? {} : { datetime: values[0] }),
        dimensions: Object.fromEntries(by.map((field, place) => [field, values[place + buckets.length]])),
      })),
      ungrouped,
      is_complete: isComplete,
    });
  },

  async 'security.export'(context, { path, query }) {
    const zone = zoneOf(context, path);
    const range = rangeOf(query, zone, context.nowMs);
    return exportEvents(context.activity, { zone, range, format: query.format ?? 'ndjson' });
  },

  async 'security.tail'(context, { path, query }) {
    return openTail(context, { zoneId: zoneOf(context, path).id, condition: conditionOf(query) });
  },

  async 'security.get'(context, { path }) {
    return ok((await existingEvent(context, path)).event);
  },

  async 'security.explain'(context, { path }) {
    const { event, judged } = await existingEvent(context, path);
    return ok({ event, explanation: judged ?? null });
  },

  'security.trace': (context, { path, body }) => trace(context, zoneOf(context, path), body),

  'graphql.query': (context, { body }) => answerGraphql(context, body),
};

function zoneOf({ directory }: ObjectsContext, path: Path): ZoneFacts {
  return directory.zones.get(path['zone_id']!)!;
}

async function existingEvent({ activity }: ObjectsContext, path: Path) {
  const id = path['event_id']!;
  const found = await activity.get(path['zone_id']!, id);
  if (found === undefined) throw fault(securityCodes.eventNotFound, { fill: { event: id } });
  return found;
}

/** One, or none. */
function bucketOf(interval: string | undefined): Dimension[] {
  if (interval === undefined || interval === '') return [];
  const bucketMs = parseSpan(interval);
  if (bucketMs === undefined || bucketMs === 0 || bucketMs > 30 * 86_400_000) {
    throw wrongDimension(`interval must be a length of time like 15m: ${shown(interval)}`);
  }
  return [{ bucketMs }];
}

function fieldsOf(names: readonly string[]): Dimension[] {
  if (new Set(names).size < names.length) throw wrongDimension('by names a field twice');
  return names.map((field) => {
    if (isEventField(field)) return { field };
    throw wrongDimension(`there is no field ${shown(field)}${didYouMean(field, Object.keys(eventFields))}`);
  });
}

function wrongDimension(reason: string): Error {
  return fault(securityCodes.dimensionInvalid, { fill: { reason } });
}

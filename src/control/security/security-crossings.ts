/** Operations on the activity log of a zone. They run outside of objects: a log answers in many small turns. */
import { didYouMean } from '#base';
import { type Dimension, eventFields, type GroupOrder, isEventField } from '#events';
import { cursorPage, fault, ok, securityCodes, type securityOperations } from '#v4';
import type { Crossing, Crossings } from '../api/crossings.ts';
import type { ZoneFacts } from '../directory.ts';
import { exportEvents } from './export.ts';
import { answerGraphql } from './graphql/answer-graphql.ts';
import { conditionOf, cursorFrom, cursorText, parseSpan, rangeOf, shown } from './search.ts';
import { openTail } from './tail.ts';
import { trace } from './trace.ts';

type Path = Readonly<Record<string, string>>;

export const securityCrossings: Crossings<typeof securityOperations> = {
  async 'security.list'(crossing, { path, query }) {
    const zone = zoneOf(crossing, path);
    const { order = 'newest', cursor, per_page: limit } = query;
    const isGiven = cursor !== undefined && cursor !== '';
    const page = await crossing.activity.find(zone.id, rangeOf(query, zone, crossing.nowMs), {
      limit,
      order,
      ...(isGiven ? { cursor: cursorFrom(cursor) } : {}),
    });
    return cursorPage(page.events, { after: page.cursor && cursorText(page.cursor) });
  },

  async 'security.summarize'(crossing, { path, query }) {
    const zone = zoneOf(crossing, path);
    const { by, interval, limit } = query;
    const buckets = bucketOf(interval);
    const order: readonly GroupOrder[] = buckets.map((_, place) => ({ by: place, direction: 'asc' }));
    const { total, groups, ungrouped, isComplete } = await crossing.activity.group(
      zone.id,
      rangeOf(query, zone, crossing.nowMs),
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

  async 'security.export'(crossing, { path, query }) {
    const zone = zoneOf(crossing, path);
    const range = rangeOf(query, zone, crossing.nowMs);
    return exportEvents(crossing.activity, { zone, range, format: query.format ?? 'ndjson' });
  },

  async 'security.tail'(crossing, { path, query }) {
    return openTail(crossing, { zoneId: zoneOf(crossing, path).id, condition: conditionOf(query) });
  },

  async 'security.get'(crossing, { path }) {
    return ok((await existingEvent(crossing, path)).event);
  },

  async 'security.explain'(crossing, { path }) {
    const { event, judged } = await existingEvent(crossing, path);
    return ok({ event, explanation: judged ?? null });
  },

  'security.trace': (crossing, { path, body }) => trace(crossing, zoneOf(crossing, path), body),

  'graphql.query': (crossing, { body }) => answerGraphql(crossing, body),
};

function zoneOf({ directory }: Crossing, path: Path): ZoneFacts {
  return directory.zones.get(path['zone_id']!)!;
}

async function existingEvent({ activity }: Crossing, path: Path) {
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

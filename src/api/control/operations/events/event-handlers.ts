/** Operations on the activity log of a zone. They run outside of objects, because a log answers in many small turns. */
import { explainEvent } from '#events';
import { cursorPage, fault, ok, securityCodes } from '#contract';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import type { ZoneFacts } from '../../context/directory.ts';
import { exportEvents } from './export.ts';
import { listExceptions, makeException } from './exceptions.ts';
import { readCondition, readCursor, writeCursor, readRange } from './search.ts';
import { listFacets, summarize } from './summarize.ts';
import { openTail } from './tail.ts';
import { trace } from './trace.ts';

type Path = Readonly<Record<string, string>>;

export const eventHandlers: ObjectsHandlers<'security' | 'graphql'> = {
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
    return ok(await summarize(context, findZone(context, path), query));
  },

  async 'security.listFacets'(context, { path, query }) {
    return ok(await listFacets(context, findZone(context, path), query));
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

  async 'security.listExceptions'(context, { path }) {
    return listExceptions(context, findZone(context, path), await requireEvent(context, path));
  },

  async 'security.makeException'(context, { path, body: { id } }) {
    const logged = await requireEvent(context, path);
    return makeException(context, findZone(context, path), { logged, id });
  },

  async 'security.trace'(context, { path, body }) {
    return ok(await trace(context, findZone(context, path), body));
  },

  async 'graphql.query'(context, { body }) {
    // An eighth of all code, which the start need not wait for.
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

/** Resolves the nodes of a query. */
import {
  getDirectiveValues,
  GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  type SelectionSetNode,
} from 'graphql';
import {
  type EventCursor,
  type EventRange,
  type GroupOrder,
  pageEventsMax,
  retentionMs,
  type SecurityEvent,
} from '#events';
import type { ObjectsContext } from '../../several-objects.ts';
import { findGrants } from '../../../context/caller.ts';
import type { ZoneFacts } from '../../../context/directory.ts';
import type { Budget } from './budget.ts';
import { type Column, columns, toDimension, formatTime, readValue } from './columns.ts';
import { readFilterRange } from './filter.ts';
import { limitDefault, retentionSlackMs, zonesMax } from './limits.ts';
import { toShortJson } from './scalars.ts';

export interface QueryContext {
  readonly context: ObjectsContext;
  readonly budget: Budget;
}

/** Arguments are not trusted to match the schema: see `filter.ts`. */
type Arguments = Readonly<Record<string, unknown>>;

interface Order {
  readonly by: Column | 'count';
  readonly direction: 'asc' | 'desc';
}

export function resolveZones(_: unknown, { filter }: Arguments, { context }: QueryContext): ZoneFacts[] {
  const { directory, actor } = context;
  const grants = findGrants({ actor, directory });
  const readable = [...directory.zones.values()].filter(({ id }) => grants.allows('analyticsRead', id));
  const tags = readZoneTags(filter);
  const unknown = tags?.find((tag) => !readable.some(({ id }) => id === tag));
  if (unknown !== undefined) {
    throw new GraphQLError(
      `zone ${toShortJson(unknown)} does not exist, or is not authorized for this token`,
      {
        extensions: { code: 'authz' },
      },
    );
  }
  const wanted = tags === undefined ? readable : readable.filter(({ id }) => tags.includes(id));
  if (wanted.length > zonesMax) {
    throw new GraphQLError(`a query can be about ${zonesMax} zones: name them with zoneTag_in`);
  }
  return wanted;
}

function readZoneTags(filter: unknown): readonly unknown[] | undefined {
  const { zoneTag, zoneTag_in } = (filter ?? {}) as { zoneTag?: unknown; zoneTag_in?: unknown };
  const tags = [zoneTag ?? [], zoneTag_in ?? []].flat();
  return zoneTag === undefined && zoneTag_in === undefined ? undefined : tags;
}

export function resolveEvents(
  zone: ZoneFacts,
  args: Arguments,
  { context, budget }: QueryContext,
): Promise<readonly SecurityEvent[]> {
  const range = readRange(zone, args['filter'], context.nowMs);
  const limit = readLimit(args['limit']);
  const order = readOrders(args['orderBy']);
  const [first] = order;
  const isByTime = first === undefined || (first.by !== 'count' && first.by.name === 'datetime');
  return budget.scan(async () => {
    const found = isByTime
      ? await findEvents(context, budget, zone, range, { limit, direction: first?.direction ?? 'desc' })
      : await findSorted(context, budget, zone, range, order);
    const events = found.slice(0, limit);
    budget.spend(events.length);
    return events;
  });
}

async function findEvents(
  { activity }: ObjectsContext,
  budget: Budget,
  { id }: ZoneFacts,
  range: EventRange,
  { limit, direction }: { readonly limit: number; readonly direction: Order['direction'] },
): Promise<SecurityEvent[]> {
  const events: SecurityEvent[] = [];
  let cursor: EventCursor | undefined;
  do {
    budget.checkTime();
    const page = await activity.find(id, range, {
      limit: limit - events.length,
      order: direction === 'desc' ? 'newest' : 'oldest',
      ...(cursor === undefined ? {} : { cursor }),
    });
    events.push(...page.events);
    ({ cursor } = page);
  } while (cursor !== undefined && events.length < limit);
  return events;
}

/** Logs are sorted by time. For any other order, all events must be read before the first can be returned. */
async function findSorted(
  context: ObjectsContext,
  budget: Budget,
  zone: ZoneFacts,
  range: EventRange,
  order: readonly Order[],
): Promise<SecurityEvent[]> {
  const events = await findEvents(context, budget, zone, range, { limit: pageEventsMax, direction: 'desc' });
  if (events.length === pageEventsMax) {
    throw new GraphQLError(`more than ${pageEventsMax} events can be ordered by datetime only: filter more`);
  }
  return events.toSorted((a, b) => {
    for (const { by, direction } of order) {
      if (by === 'count') continue;
      const [one, other] = [readValue(a, by), readValue(b, by)];
      if (one !== other) return (one < other ? -1 : 1) * (direction === 'asc' ? 1 : -1);
    }
    return 0;
  });
}

interface Group {
  readonly count: number;
  readonly avg: { readonly sampleInterval: 1 };
  readonly dimensions: Readonly<Record<string, string | number>>;
}

export function resolveGroups(
  zone: ZoneFacts,
  args: Arguments,
  { context, budget }: QueryContext,
  info: GraphQLResolveInfo,
): Promise<readonly Group[]> {
  const range = readRange(zone, args['filter'], context.nowMs);
  const limit = readLimit(args['limit']);
  const selected = listSelectedDimensions(info);
  const order = readOrders(args['orderBy']).map(({ by, direction }): GroupOrder => {
    const place = by === 'count' ? by : selected.indexOf(by);
    if (place !== -1) return { by: place, direction };
    throw new GraphQLError(`orderBy can name dimensions that are selected: ${(by as Column).name} is not`);
  });
  return budget.scan(async () => {
    const dimensions = selected.map(toDimension);
    const { groups, isComplete } = await context.activity.group(zone.id, range, {
      dimensions,
      order,
      limit,
    });
    if (!isComplete) throw new GraphQLError('there are too many events to count: ask for less time');
    budget.spend(groups.length);
    return groups.map(({ count, values }) => ({
      count,
      avg: { sampleInterval: 1 },
      dimensions: Object.fromEntries(
        selected.map((column, place) => [
          column.name,
          column.kind === 'time' ? formatTime(String(values[place]), column) : values[place]!,
        ]),
      ),
    }));
  });
}

function readRange({ plan }: ZoneFacts, filter: unknown, nowMs: number): EventRange {
  const range = readFilterRange(filter);
  const keptMs = retentionMs[plan];
  if (range.sinceMs > 0 && range.sinceMs < nowMs - keptMs - retentionSlackMs) {
    throw new GraphQLError(`cannot request data older than ${keptMs / 1000}s`);
  }
  return { ...range, sinceMs: Math.max(range.sinceMs, nowMs - keptMs) };
}

function readLimit(limit: unknown): number {
  if (limit === undefined || limit === null) return limitDefault;
  if (typeof limit === 'number' && limit >= 1 && limit <= pageEventsMax) return Math.floor(limit);
  throw new GraphQLError(`limit must be a positive number and not greater than ${pageEventsMax}`);
}

function readOrders(orderBy: unknown): Order[] {
  return [orderBy ?? []].flat().map((text) => {
    const [, name, direction] = (typeof text === 'string' && /^(\w+)_(ASC|DESC)$/.exec(text)) || [];
    const by = name === 'count' ? name : columns.get(name ?? '');
    if (by === undefined) throw new GraphQLError(`orderBy cannot be ${toShortJson(text)}`);
    return { by, direction: direction === 'ASC' ? 'asc' : 'desc' };
  });
}

/** Groups have the dimensions that the query selects, anywhere in the query. */
function listSelectedDimensions(info: GraphQLResolveInfo): Column[] {
  const names = new Set<string>();
  for (const node of info.fieldNodes) {
    for (const [field, selection] of listFields(node.selectionSet, info)) {
      if (field !== 'dimensions') continue;
      for (const [name] of listFields(selection, info)) names.add(name);
    }
  }
  return [...names].flatMap((name) => columns.get(name) ?? []);
}

type Selected = [name: string, selection: SelectionSetNode | undefined];

function* listFields(
  set: SelectionSetNode | undefined,
  info: GraphQLResolveInfo,
  seen: Set<string> = new Set(),
): Generator<Selected> {
  for (const node of set?.selections ?? []) {
    const isSkipped = getDirectiveValues(GraphQLSkipDirective, node, info.variableValues)?.['if'] === true;
    const isIncluded =
      getDirectiveValues(GraphQLIncludeDirective, node, info.variableValues)?.['if'] !== false;
    if (isSkipped || !isIncluded) continue;
    if (node.kind === 'Field') yield [node.name.value, node.selectionSet];
    else if (node.kind === 'InlineFragment') yield* listFields(node.selectionSet, info, seen);
    else if (!seen.has(node.name.value)) {
      seen.add(node.name.value);
      yield* listFields(info.fragments[node.name.value]!.selectionSet, info, seen);
    }
  }
}

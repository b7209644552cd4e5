/** What the nodes of a query answer with. */
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
import { grantsOf } from '../../../context/caller.ts';
import type { ZoneFacts } from '../../../context/directory.ts';
import type { Budget } from './budget.ts';
import { type Column, columns, dimensionOf, shownTime, valueIn } from './columns.ts';
import { rangeOfFilter } from './filter.ts';
import { limitDefault, retentionSlackMs, zonesMax } from './limits.ts';
import { shortJson } from './scalars.ts';

export interface QueryContext {
  readonly context: ObjectsContext;
  readonly budget: Budget;
}

/** Whatever was sent: see `filter.ts`. */
type Arguments = Readonly<Record<string, unknown>>;

interface Order {
  readonly by: Column | 'count';
  readonly direction: 'asc' | 'desc';
}

export function resolveZones(_: unknown, { filter }: Arguments, { context }: QueryContext): ZoneFacts[] {
  const { directory, actor } = context;
  const grants = grantsOf({ actor, directory });
  const readable = directory.data.zones.filter(({ id }) => grants.allows('analyticsRead', id));
  const tags = tagsOf(filter);
  const unknown = tags?.find((tag) => !readable.some(({ id }) => id === tag));
  if (unknown !== undefined) {
    throw new GraphQLError(`zone ${shortJson(unknown)} does not exist, or is not authorized for this token`, {
      extensions: { code: 'authz' },
    });
  }
  const wanted = tags === undefined ? readable : readable.filter(({ id }) => tags.includes(id));
  if (wanted.length > zonesMax) {
    throw new GraphQLError(`a query can be about ${zonesMax} zones: name them with zoneTag_in`);
  }
  return wanted;
}

function tagsOf(filter: unknown): readonly unknown[] | undefined {
  const { zoneTag, zoneTag_in } = (filter ?? {}) as { zoneTag?: unknown; zoneTag_in?: unknown };
  const tags = [zoneTag ?? [], zoneTag_in ?? []].flat();
  return zoneTag === undefined && zoneTag_in === undefined ? undefined : tags;
}

export function resolveEvents(
  zone: ZoneFacts,
  args: Arguments,
  { context, budget }: QueryContext,
): Promise<readonly SecurityEvent[]> {
  const range = rangeIn(zone, args['filter'], context.nowMs);
  const limit = limitOf(args['limit']);
  const order = ordersOf(args['orderBy']);
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

/** Logs are in the order of time; in any other, all events have to be seen before the first can be told. */
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
      const [one, other] = [valueIn(a, by), valueIn(b, by)];
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
  const range = rangeIn(zone, args['filter'], context.nowMs);
  const limit = limitOf(args['limit']);
  const selected = selectedDimensions(info);
  const order = ordersOf(args['orderBy']).map(({ by, direction }): GroupOrder => {
    const place = by === 'count' ? by : selected.indexOf(by);
    if (place !== -1) return { by: place, direction };
    throw new GraphQLError(`orderBy can name dimensions that are selected: ${(by as Column).name} is not`);
  });
  return budget.scan(async () => {
    const dimensions = selected.map(dimensionOf);
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
          column.kind === 'time' ? shownTime(String(values[place]), column) : values[place]!,
        ]),
      ),
    }));
  });
}

function rangeIn({ plan }: ZoneFacts, filter: unknown, nowMs: number): EventRange {
  const range = rangeOfFilter(filter);
  const keptMs = retentionMs[plan];
  if (range.sinceMs > 0 && range.sinceMs < nowMs - keptMs - retentionSlackMs) {
    throw new GraphQLError(`cannot request data older than ${keptMs / 1000}s`);
  }
  return { ...range, sinceMs: Math.max(range.sinceMs, nowMs - keptMs) };
}

function limitOf(limit: unknown): number {
  if (limit === undefined || limit === null) return limitDefault;
  if (typeof limit === 'number' && limit >= 1 && limit <= pageEventsMax) return Math.floor(limit);
  throw new GraphQLError(`limit must be a positive number and not greater than ${pageEventsMax}`);
}

function ordersOf(orderBy: unknown): Order[] {
  return [orderBy ?? []].flat().map((text) => {
    const [, name, direction] = (typeof text === 'string' && /^(\w+)_(ASC|DESC)$/.exec(text)) || [];
    const by = name === 'count' ? name : columns.get(name ?? '');
    if (by === undefined) throw new GraphQLError(`orderBy cannot be ${shortJson(text)}`);
    return { by, direction: direction === 'ASC' ? 'asc' : 'desc' };
  });
}

/** Grouping is by what the query selects of `dimensions`, wherever in it that is written. */
function selectedDimensions(info: GraphQLResolveInfo): Column[] {
  const names = new Set<string>();
  for (const node of info.fieldNodes) {
    for (const [field, selection] of fieldsIn(node.selectionSet, info)) {
      if (field !== 'dimensions') continue;
      for (const [name] of fieldsIn(selection, info)) names.add(name);
    }
  }
  return [...names].flatMap((name) => columns.get(name) ?? []);
}

type Selected = [name: string, selection: SelectionSetNode | undefined];

function* fieldsIn(
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
    else if (node.kind === 'InlineFragment') yield* fieldsIn(node.selectionSet, info, seen);
    else if (!seen.has(node.name.value)) {
      seen.add(node.name.value);
      yield* fieldsIn(info.fragments[node.name.value]!.selectionSet, info, seen);
    }
  }
}

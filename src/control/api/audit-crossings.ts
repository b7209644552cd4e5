/** The audit log of the account, put together from its own trail and those of all zones, deleted ones included. */
import { auditCodes, type auditOperations, fault, type Input, ok, page, type Reply } from '#v4';
import { auditJson, type Trail } from '../audit-json.ts';
import { type AuditEntry, type AuditQuery, chainOrigin, type Link } from '../audit-trail.ts';
import { auditDepthMax, zonesAskedAtOnceMax } from '../limits.ts';
import type { Crossing, Crossings } from './crossings.ts';

export const auditCrossings: Crossings<typeof auditOperations> = {
  'audit.list'(crossing, { query }) {
    const { 'zone.name': zoneName, ...rest } = query;
    const isGiven = zoneName !== undefined && zoneName !== '';
    const trails = trailsOf(crossing).filter(
      (trail) => !isGiven || (trail.kind === 'zone' && trail.name === zoneName.toLowerCase()),
    );
    return list(crossing, trails, rest);
  },

  async 'audit.verify'(crossing) {
    return ok(await ofEach(trailsOf(crossing), (trail) => verify(crossing, trail)));
  },

  'audit.listZone': (crossing, { path, query }) => list(crossing, [trailOfZone(crossing, path)], query),

  async 'audit.verifyZone'(crossing, { path }) {
    return ok(await verify(crossing, trailOfZone(crossing, path)));
  },
};

type ListQuery = Input<(typeof auditOperations)['audit.listZone']>['query'];

function trailsOf({ directory }: Crossing): Trail[] {
  const zones = [...directory.data.zones, ...directory.data.formerZones];
  return [
    { kind: 'account', id: directory.accountId },
    ...zones.map(({ id, name }): Trail => ({ kind: 'zone', id, name })),
  ];
}

function trailOfZone({ directory }: Crossing, path: Input['path']): Trail {
  const { id, name } = directory.zones.get(path['zone_id']!)!;
  return { kind: 'zone', id, name };
}

function objectOf({ account, zone }: Crossing, trail: Trail) {
  return trail.kind === 'account' ? account : zone(trail.id);
}

/**
 * Each trail gives the places of its first entries, as many as could be on the page; those are merged by time, and only the
 * entries of the page are read.
 */
async function list(crossing: Crossing, trails: readonly Trail[], query: ListQuery): Promise<Reply> {
  const limit = query.page * query.per_page;
  if (limit > auditDepthMax) throw fault(auditCodes.auditTooDeep, { fill: { count: auditDepthMax } });
  const asked = queryOf(query, limit);
  const found = await ofEach(trails, async (trail) => ({
    trail,
    ...(await objectOf(crossing, trail).auditKeys(asked)),
  }));
  const sign = asked.direction === 'asc' ? 1 : -1;
  const wanted = found
    .flatMap(({ trail, keys }) => keys.map(({ sequence, atMs }) => ({ trail, sequence, atMs })))
    .toSorted((a, b) => sign * (a.atMs - b.atMs || (a.trail === b.trail ? a.sequence - b.sequence : 0)))
    .slice(limit - query.per_page, limit);
  const entries = await readEntries(crossing, wanted);
  const total = found.reduce((sum, each) => sum + each.total, 0);
  return page(
    wanted.map(({ trail, sequence }) =>
      auditJson(entries.get(trail)!.get(sequence)!, trail, crossing.directory.accountId),
    ),
    { page: query.page, per_page: query.per_page, total },
  );
}

function queryOf(query: ListQuery, limit: number): AuditQuery {
  return {
    id: query.id || undefined,
    sinceMs: query.since,
    beforeMs: query.before,
    action: query['action.type'],
    email: query['actor.email'] || undefined,
    address: query['actor.ip'] || undefined,
    direction: query.direction ?? 'desc',
    limit,
  };
}

async function readEntries(
  crossing: Crossing,
  wanted: readonly { readonly trail: Trail; readonly sequence: number }[],
): Promise<Map<Trail, Map<number, AuditEntry>>> {
  const sequences = Map.groupBy(wanted, ({ trail }) => trail);
  const read = await ofEach([...sequences], async ([trail, keys]) => {
    const entries = await objectOf(crossing, trail).auditEntries(keys.map(({ sequence }) => sequence));
    return [trail, new Map(entries.map((entry) => [entry.sequence, entry]))] as const;
  });
  return new Map(read);
}

async function verify(crossing: Crossing, trail: Trail): Promise<object> {
  const object = objectOf(crossing, trail);
  let last: Link = chainOrigin;
  for (;;) {
    const check = await object.auditCheck(last);
    last = check.last;
    if (!check.isDone) continue;
    return {
      kind: trail.kind,
      id: trail.id,
      is_intact: check.brokenSequence === undefined,
      entries: last.sequence,
      last_hash: last.hash,
      ...(check.brokenSequence === undefined ? {} : { broken_sequence: check.brokenSequence }),
    };
  }
}

/** A few at a time: each zone that is asked is woken. */
async function ofEach<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += zonesAskedAtOnceMax) {
    const batch = items.slice(from, from + zonesAskedAtOnceMax);
    results.push(...(await Promise.all(batch.map(ask))));
  }
  return results;
}

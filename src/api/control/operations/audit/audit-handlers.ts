/**
 * The audit log of the account, merged from its own trail and those of its zones. The trails of recently deleted zones
 * are included; those of zones deleted long ago are read when a call names them.
 */
import { auditCodes, fault, type Input, type InputOf, ok, page, type Reply, type Result } from '#contract';
import { toAuditJson, type Trail } from './audit-json.ts';
import { accountLog } from '../../stores/audit/anchors.ts';
import {
  type AuditCheck,
  type AuditQuery,
  chainOrigin,
  type Link,
  type ShownEntry,
} from '../../stores/audit/audit-trail.ts';
import {
  auditDepthMax,
  auditEntriesAskedMax,
  auditValueCharactersMax,
  zonesAskedAtOnceMax,
} from '../../context/limits.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';

export const auditHandlers: ObjectsHandlers<'audit'> = {
  'audit.list': (context, { query }) => listOfAccount(context, query),

  'audit.listUser': (context, { query }) =>
    listOfAccount(context, { ...query, 'actor.email': context.actor.email }),

  async 'audit.verify'(context) {
    return ok(await askEach(await listAllTrails(context), (trail) => verify(context, trail)));
  },

  'audit.listZone': (context, { path, query }) => list(context, [findZoneTrail(context, path)], query),

  async 'audit.verifyZone'(context, { path }) {
    return ok(await verify(context, findZoneTrail(context, path)));
  },
};

async function listOfAccount(
  context: ObjectsContext,
  { 'zone.name': zoneName, ...query }: InputOf<'audit.list'>['query'],
): Promise<Reply<Result<'audit.list'>>> {
  return list(context, await (zoneName ? findTrails(context, zoneName) : listAllTrails(context)), query);
}

type ListQuery = InputOf<'audit.listZone'>['query'];

async function listAllTrails({ account, directory }: ObjectsContext): Promise<Trail[]> {
  const zones = [...directory.zones.values(), ...(await account.listFormerZones())];
  return [{ kind: 'account', id: directory.accountId }, ...zones.map(toTrail)];
}

/** Several zones can have had the same name, one after the other. */
async function findTrails({ account, directory }: ObjectsContext, given: string): Promise<Trail[]> {
  const name = given.toLowerCase();
  const zones = [...directory.zones.values()].filter((zone) => zone.name === name);
  return [...zones, ...(await account.listFormerZones(name))].map(toTrail);
}

function toTrail({ id, name }: { readonly id: string; readonly name: string }): Trail {
  return { kind: 'zone', id, name };
}

function findZoneTrail({ directory }: ObjectsContext, path: Input['path']): Trail {
  return toTrail(directory.zones.get(path['zone_id']!)!);
}

function getObject({ account, getZone }: ObjectsContext, trail: Trail) {
  return trail.kind === 'account' ? account : getZone(trail.id);
}

/**
 * Each trail returns the positions of its first entries, as many as could be on the page. The positions are merged by time,
 * and only the entries on the page are read.
 */
async function list(
  context: ObjectsContext,
  trails: readonly Trail[],
  query: ListQuery,
): Promise<Reply<Result<'audit.list'>>> {
  const limit = query.page * query.per_page;
  if (limit > auditDepthMax) throw fault(auditCodes.auditTooDeep, { fill: { count: auditDepthMax } });
  const asked = toAuditQuery(query, limit);
  const found = await askEach(trails, async (trail) => ({
    trail,
    ...(await getObject(context, trail).readAuditKeys(asked)),
  }));
  const sign = asked.direction === 'asc' ? 1 : -1;
  const wanted = found
    .flatMap(({ trail, keys }) => keys.map(({ sequence, atMs }) => ({ trail, sequence, atMs })))
    .toSorted((a, b) => sign * (a.atMs - b.atMs || (a.trail === b.trail ? a.sequence - b.sequence : 0)))
    .slice(limit - query.per_page, limit);
  // A query for one entry returns its values in full.
  const valueCharactersMax = asked.id === undefined ? auditValueCharactersMax : Number.MAX_SAFE_INTEGER;
  const entries = await readEntries(context, wanted, valueCharactersMax);
  const total = found.reduce((sum, each) => sum + each.total, 0);
  return page(
    wanted.map((place) => toAuditJson(entries.get(place)!, place.trail, context.directory.accountId)),
    { page: query.page, per_page: query.per_page, total },
  );
}

function toAuditQuery(query: ListQuery, limit: number): AuditQuery {
  return {
    id: query.id || undefined,
    sinceMs: query.since,
    beforeMs: query.before,
    action: query['action.type'],
    email: query['actor.email'] || undefined,
    address: query['actor.ip'] || undefined,
    resourceId: query['resource.id'] || undefined,
    direction: query.direction ?? 'desc',
    limit,
  };
}

interface Place {
  readonly trail: Trail;
  readonly sequence: number;
}

async function readEntries(
  context: ObjectsContext,
  wanted: readonly Place[],
  valueCharactersMax: number,
): Promise<Map<Place, ShownEntry>> {
  const questions = [...Map.groupBy(wanted, ({ trail }) => trail)].flatMap(([trail, places]) =>
    splitIntoBatches(places, auditEntriesAskedMax).map((batch) => ({ trail, batch })),
  );
  const answers = await askEach(questions, async ({ trail, batch }) => {
    const sequences = batch.map(({ sequence }) => sequence);
    const entries = await getObject(context, trail).readAuditEntries(sequences, valueCharactersMax);
    const bySequence = new Map(entries.map((entry) => [entry.sequence, entry]));
    return batch.map((place) => [place, bySequence.get(place.sequence)!] as const);
  });
  return new Map(answers.flat());
}

/**
 * Recomputes the hashes of the log, and compares it with its anchor in the account, which is then moved to the end of
 * the log.
 */
async function verify(context: ObjectsContext, trail: Trail): Promise<Result<'audit.verifyZone'>> {
  const object = getObject(context, trail);
  const log = trail.kind === 'account' ? accountLog : trail.id;
  const [anchor] = await context.account.findAuditAnchors([log]);
  let check: AuditCheck = { last: chainOrigin, brokenSequence: undefined, isDone: false };
  while (!check.isDone) check = await object.checkAudit(check.last);
  const { last, brokenSequence } = check;
  const { hasKnown } = await object.readAuditEnd(anchor ?? chainOrigin);
  const isIntact = brokenSequence === undefined && hasKnown;
  if (isIntact) await context.anchorAudits([log]);
  return {
    kind: trail.kind,
    id: trail.id,
    is_intact: isIntact,
    entries: last.sequence,
    last_hash: last.hash,
    ...(brokenSequence === undefined ? {} : { broken_sequence: brokenSequence }),
    ...(hasKnown || anchor === undefined ? {} : describeLoss(last.sequence, anchor)),
  };
}

/** What the log has lost since the account stored its anchor. */
function describeLoss(entries: number, anchor: Link): Partial<Result<'audit.verifyZone'>> {
  const shown = { anchor: { entries: anchor.sequence, hash: anchor.hash } };
  return entries < anchor.sequence
    ? { ...shown, missing: { first_sequence: entries + 1, last_sequence: anchor.sequence } }
    : { ...shown, differs_from_anchor: true };
}

/** A few at a time, because each zone that is called is woken. */
async function askEach<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const batch of splitIntoBatches(items, zonesAskedAtOnceMax)) {
    results.push(...(await Promise.all(batch.map(ask))));
  }
  return results;
}

function splitIntoBatches<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

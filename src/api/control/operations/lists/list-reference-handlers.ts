/**
 * Operations on lists that depend on the expressions of zones. The list is in the account and the expressions that name
 * it are in the zones, so before the account answers, the zones that may name it (`list-uses.ts`) count their
 * references.
 *
 * Before a list is deleted, the directory hides it: new expressions cannot name it then, and the counts of the zones
 * stay valid until the list is deleted or shown again. The hiding is not stored: if the process dies in between,
 * nothing has changed.
 */
import { fault, listCodes, ok, type Result, type WrittenResponse } from '#contract';
import { findGrants } from '../../context/caller.ts';
import { zonesAskedAtOnceMax } from '../../context/limits.ts';
import { getCount, type References } from '../../stores/lists/list-references.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';

type Ids = 'lists.list' | 'lists.get' | 'lists.listUses' | 'lists.update' | 'lists.delete';

export const listReferenceHandlers: ObjectsHandlers<Ids> = {
  'lists.list': answerWithReferences,
  'lists.get': answerWithReferences,

  async 'lists.listUses'(context, { path }) {
    const name = await context.account.findListName(path['list_id']!);
    if (name === undefined) throw fault(listCodes.listNotFound, { fill: { list: path['list_id']! } });
    const grants = findGrants(context);
    const uses: Result<'lists.listUses'>[number][] = [];
    for await (const { zoneId, counts } of askZones(context, await listUsers(context, [name]), [name])) {
      const count = getCount(counts, name);
      const isVisible = grants.allows('zoneRead', zoneId) || grants.allows('zoneWrite', zoneId);
      if (count === 0 || !isVisible) continue;
      uses.push({ zone_id: zoneId, zone_name: context.directory.zones.get(zoneId)?.name ?? zoneId, count });
    }
    return ok(uses);
  },

  async 'lists.update'(context) {
    const answer = await answerWithReferences(context);
    await context.refresh();
    return answer;
  },

  async 'lists.delete'(context, { path }) {
    const { account, call } = context;
    const id = path['list_id']!;
    const name = await account.findListName(id);
    if (name === undefined) return account.answer(call);
    // Two concurrent deletions could undo each other's hiding.
    const hidden = await context.hideList(name);
    if (hidden === undefined) throw fault(listCodes.listDeletionInterrupted);
    try {
      const count = getCount(await countReferences(context, [name]), name);
      if (count > 0) throw fault(listCodes.listInUse, { id, fill: { count, list: name } });
      if (!hidden.isHidden()) throw fault(listCodes.listDeletionInterrupted);
      const answer = await account.answer(call);
      // The directory must know that the list is deleted before the hiding ends.
      await context.refresh();
      return answer;
    } finally {
      hidden.show();
    }
  },
};

/** The account's answer, given how often zones name the list, or each list. */
async function answerWithReferences(context: ObjectsContext): Promise<WrittenResponse> {
  const { call, directory } = context;
  const { list_id: wanted } = call.input.path;
  const lists = [...directory.lists.values()].filter(({ id }) => wanted === undefined || id === wanted);
  const listReferences = await countReferences(
    context,
    lists.map(({ name }) => name),
  );
  return context.account.answer({ ...call, listReferences });
}

async function countReferences(context: ObjectsContext, names: readonly string[]): Promise<References> {
  if (names.length === 0) return {};
  const zoneIds = await listUsers(context, names);
  const totals = new Map<string, number>();
  for await (const { counts } of askZones(context, zoneIds, names))
    for (const name of names) totals.set(name, (totals.get(name) ?? 0) + getCount(counts, name));
  return Object.fromEntries(totals);
}

/** The zones that may name one of these lists. */
async function listUsers(context: ObjectsContext, names: readonly string[]): Promise<string[]> {
  return (await context.account.listZonesUsing(names)) ?? (await findUses(context, names));
}

/** Asks every zone which lists it names: happens once, for an account that an earlier version created. */
async function findUses(context: ObjectsContext, names: readonly string[]): Promise<string[]> {
  const { account, directory } = context;
  const all = [...new Set([...names, ...directory.lists.keys()])];
  const found: string[] = [];
  for await (const { zoneId, counts } of askZones(context, [...directory.zones.keys()], all)) {
    const used = all.filter((name) => getCount(counts, name) > 0);
    if (used.length === 0) continue;
    await account.noteListUses(zoneId, used);
    found.push(zoneId);
  }
  await account.completeListUses();
  return found;
}

/** A few zones at a time, because each zone that is called is woken. Deleted zones name nothing. */
async function* askZones(
  { directory, getZone }: ObjectsContext,
  zoneIds: readonly string[],
  names: readonly string[],
): AsyncGenerator<{ readonly zoneId: string; readonly counts: References }, void> {
  const existing = zoneIds.filter((zoneId) => directory.zones.has(zoneId));
  for (let from = 0; from < existing.length; from += zonesAskedAtOnceMax) {
    const batch = existing.slice(from, from + zonesAskedAtOnceMax);
    yield* await Promise.all(
      batch.map(async (zoneId) => ({
        zoneId,
        counts: await getZone(zoneId).countListReferences(names, directory.point),
      })),
    );
  }
}

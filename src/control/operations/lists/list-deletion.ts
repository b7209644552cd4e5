/**
 * Expressions that name a list are in the zones, the list is in the account. So zones are asked how often they name it, and
 * before a list is deleted it is hidden: from the moment the directory does not show it no expression can begin to name it,
 * and what zones say then stays true until it is deleted or shown again. Being hidden is not written down: if the process
 * ends in between, nothing has happened.
 */
import { fault, listCodes } from '#v4';
import type { Crossing } from '../../pipeline/crossings.ts';
import type { Escort } from '../../pipeline/escorts.ts';
import { zonesAskedAtOnceMax } from '../../context/limits.ts';
import { countOf, type References } from '../../stores/list-references.ts';

/** Finds out how often the list, or each list, is named. */
const counting: Escort = async (crossing, call, pass) => {
  const { list_id: wanted } = call.input.path;
  const lists = crossing.directory.data.lists.filter(({ id }) => wanted === undefined || id === wanted);
  const references = await referencesTo(
    crossing,
    lists.map(({ name }) => name),
  );
  return pass({ ...call, input: { ...call.input, references } as typeof call.input });
};

export const listEscorts: Readonly<Record<string, Escort>> = {
  'lists.list': counting,
  'lists.get': counting,
  'lists.update': counting,

  async 'lists.delete'(crossing, call, pass) {
    const id = call.input.path['list_id']!;
    const name = await crossing.account.listName(id);
    if (name === undefined) return pass(call);
    // Two at a time could undo each other's hiding.
    if (!(await crossing.account.hideList(name))) throw fault(listCodes.listDeletionInterrupted);
    try {
      await crossing.refresh();
      const count = countOf(await referencesTo(crossing, [name]), name);
      if (count > 0) throw fault(listCodes.listInUse, { id, fill: { count, list: name } });
      return await pass(call);
    } finally {
      await crossing.account.showList(name);
      await crossing.refresh();
    }
  },
};

/** A few zones at a time: each that is asked is woken. */
async function referencesTo(crossing: Crossing, names: readonly string[]): Promise<References> {
  const totals = new Map<string, number>();
  const zones = names.length === 0 ? [] : crossing.directory.data.zones;
  for (let from = 0; from < zones.length; from += zonesAskedAtOnceMax) {
    const batch = zones.slice(from, from + zonesAskedAtOnceMax);
    for (const counts of await Promise.all(batch.map(({ id }) => crossing.zone(id).listReferences(names))))
      for (const name of names) totals.set(name, (totals.get(name) ?? 0) + countOf(counts, name));
  }
  return Object.fromEntries(totals);
}

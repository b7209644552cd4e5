/**
 * Puts the object of a zone back to a moment of its history while the server runs. Only zones: what the account holds
 * is also in the directory, and a token that was revoked since would come back.
 */
import { fault, objectCodes } from '#api';
import type { ObjectHistory } from '#objects';
import { getCount } from '../../stores/list-references.ts';
import type { ObjectsContext } from '../several-objects.ts';
import type { FoundObject } from './find-object.ts';

interface Restore {
  readonly found: FoundObject;
  readonly history: ObjectHistory;
  readonly bookmark: string;
  readonly confirm: string;
}

export async function restoreZone(
  context: ObjectsContext,
  { found, history, bookmark, confirm }: Restore,
): Promise<{ undo: string }> {
  const { directory, account, call } = context;
  const zone = found.className === 'Zone' ? directory.zones.get(found.name ?? '') : undefined;
  if (zone === undefined) {
    const reason =
      found.className === 'Zone'
        ? 'the zone does not exist any more, or the object was named by its id'
        : `${found.className} holds the program's own state`;
    throw fault(objectCodes.objectNotRestorable, { fill: { reason } });
  }
  if (confirm !== zone.name)
    throw fault(objectCodes.objectNotConfirmed, { pointer: '/confirm', fill: { name: zone.name } });
  // First, so that nothing happens that the audit log does not have: the log of the zone goes back with it.
  const before = await history.current();
  await account.answer({ ...call, input: { ...call.input, before } as typeof call.input });
  const undo = await history.restore(bookmark);
  await followReplacedZone(context, zone.id);
  return { undo };
}

type Followers = Pick<ObjectsContext, 'directory' | 'account' | 'getZone' | 'tellChanged'>;

/** Of a zone whose object has another state. It may name lists that it did not name before. */
export async function followReplacedZone(
  { directory, account, getZone, tellChanged }: Followers,
  zoneId: string,
): Promise<void> {
  const names = [...directory.lists.keys()];
  const counts = await getZone(zoneId).countListReferences(names);
  const used = names.filter((name) => getCount(counts, name) > 0);
  if (used.length > 0) await account.noteListUses(zoneId, used);
  tellChanged(zoneId);
}

import { getCount } from '../../stores/lists/list-references.ts';
import type { ObjectsContext } from '../several-objects.ts';

type Followers = Pick<ObjectsContext, 'directory' | 'account' | 'getZone' | 'notifyChanged'>;

/** Publishes that a zone's object has another state. It may name lists that it did not name before. */
export async function followReplacedZone(
  { directory, account, getZone, notifyChanged }: Followers,
  zoneId: string,
): Promise<void> {
  try {
    const names = [...directory.lists.keys()];
    const counts = await getZone(zoneId).countListReferences(names);
    const used = names.filter((name) => getCount(counts, name) > 0);
    if (used.length > 0) await account.noteListUses(zoneId, used);
  } finally {
    // Also if the zone can no longer be read: its cached answers must not be used any more.
    notifyChanged(zoneId);
  }
}

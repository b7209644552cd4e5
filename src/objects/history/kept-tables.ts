/**
 * Tables of an object that no restore or import takes back. An object names them (`keepTables`); what they hold just before
 * its database is replaced is put into the database that replaces it, and both become the object's state with one record.
 */
import { copyTables, removeDatabase } from '#sqlite';
import type { Scratch } from '../files/scratch.ts';
import type { Chronicle } from '../ledger/ledger.ts';
import { keptTable } from '../stores/hidden-tables.ts';
import type { Historian } from './historian.ts';
import { isLoss } from './materialise.ts';

/**
 * Puts the kept tables of an object's newest state into the database file at `path`, which need not exist; resolves to
 * whether there are any. An object whose newest state is lost has none: going back is how it is repaired.
 */
export async function carryKeptTables(
  historian: Historian,
  object: Chronicle,
  { scratch, path }: { readonly scratch: Scratch; readonly path: string },
): Promise<boolean> {
  let current: string | undefined;
  let hasFile = false;
  try {
    current = await historian.writeDatabase(object, object.entry.head, (bytes) => {
      hasFile = bytes > 0;
      return (current = scratch.pathFor('kept', bytes));
    });
    if (!hasFile) return false;
    return await copyTables({ from: current, to: path, listedIn: keptTable.name });
  } catch (error) {
    if (!isLoss(error)) throw error;
    return false;
  } finally {
    if (current !== undefined) removeDatabase(current);
  }
}

/**
 * Tables of an earlier moment, from those of a later one: each object with SQL storage goes back along its records. Its
 * name and its snapshots before that moment stay; its alarm is read from its database as it was then.
 */
import { realFileSystem } from '#files';
import { type Journal, type Position, noPosition } from '#journal';
import { type TableChange, Tables } from '#tables';
import { Scratch } from '../files/scratch.ts';
import { Images } from '../history/images.ts';
import { HistoryMissingError, Materialiser } from '../history/materialise.ts';
import { findAlarm } from '../history/restore.ts';
import { alarmBytes, decodeEntry, encodeEntry, type ObjectEntry, reserved } from '../ledger/catalogue.ts';
import { decodeCommit, type Owner } from '../ledger/records.ts';

/** Positions of batches count up to the end of the log: there are far fewer of them than bytes. */
const batchChanges = 1_000;

interface EntryRewindParts {
  readonly journal: Journal;
  readonly tables: Tables;
  readonly directory: string;
  readonly end: Position;
}

/** Writes the entries as `tables.rewound` in the directory. */
export async function rewindEntries({ journal, tables, directory, end }: EntryRewindParts): Promise<void> {
  await refuseKeyValues(tables);
  const scratch = new Scratch(`${directory}/live`);
  const materialiser = new Materialiser(journal, new Images(realFileSystem, `${directory}/images`));
  const rewind = async (owner: Owner, later: ObjectEntry): Promise<ObjectEntry | undefined> => {
    if (later.head < end) return later;
    const entry = rewindEntry(journal, later, end);
    if (entry === undefined) return undefined;
    const source = await materialiser.at({ owner, snapshots: entry.snapshots }, entry.head);
    const alarm = await findAlarm(source, { scratch });
    return alarm === null ? entry : { ...entry, alarm };
  };
  const rewound = Tables.open({ directory: `${directory}/tables.rewound` });
  try {
    let batches = 0;
    let changes: TableChange[] = [];
    for await (const [key, value] of tables.iterate(reserved.classes)) {
      changes.push({ owner: reserved.classes, key, value });
    }
    for await (const [key, bytes] of tables.iterate(reserved.objects)) {
      const entry = await rewind(key as Owner, decodeEntry(bytes));
      if (entry === undefined) continue;
      changes.push({ owner: reserved.objects, key, value: encodeEntry(entry) });
      if (entry.alarm !== undefined) {
        changes.push({ owner: reserved.alarms, key, value: alarmBytes(entry.alarm) });
      }
      if (changes.length < batchChanges) continue;
      rewound.apply(changes, ++batches);
      changes = [];
    }
    rewound.apply(changes, end);
    await rewound.flush();
  } finally {
    await rewound.close();
    scratch.clear();
  }
}

/** The entry as it was before `end`; undefined if the object did not exist. */
function rewindEntry(journal: Journal, later: ObjectEntry, end: Position): ObjectEntry | undefined {
  let head = later.head;
  while (head >= end) head = decodeCommit(journal.read(head).payload).previous;
  if (head === noPosition) return undefined;
  const snapshots = later.snapshots.filter((position) => position <= head);
  const isKept = head >= journal.start || snapshots.includes(head);
  if (!isKept) throw new HistoryMissingError(head, journal);
  const { request: _request, alarm: _alarm, ...rest } = later;
  const headTime = head < journal.start ? 0 : journal.read(head).time;
  const request = findRequest(journal, head);
  return { ...rest, head, headTime, snapshots, ...(request === undefined ? {} : { request }) };
}

/** A restore that was requested and is not yet done. */
function findRequest(journal: Journal, head: Position): ObjectEntry['request'] {
  for (let at = head; at !== noPosition && at >= journal.start;) {
    const { base, request, previous } = decodeCommit(journal.read(at).payload);
    if (base !== undefined) return undefined;
    if (request !== undefined) return { position: at, target: request.target };
    at = previous;
  }
  return undefined;
}

async function refuseKeyValues(tables: Tables): Promise<void> {
  for await (const [key, value] of tables.iterate(reserved.classes)) {
    if (!key.startsWith('kv:')) continue;
    const prefix = Buffer.from(value).toString('latin1', 0, 2);
    for await (const owner of tables.owners(prefix)) {
      void owner;
      throw new RangeError(
        `cannot go back that far: objects of class ${Buffer.from(value).toString('utf8', 2)} have key-value storage, which keeps no history, and the log does not reach back to their first record. Restore without a time, or use an older backup`,
      );
    }
  }
}

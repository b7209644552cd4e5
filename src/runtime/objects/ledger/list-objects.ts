import type { Tables } from '#tables';
import type { ClassEntry } from '../classes.ts';
import { DurableObjectId } from '../ids.ts';
import { alarmOf, decodeEntry, reserved } from './catalogue.ts';
import { readEntry } from './ledger.ts';
import { type Owner, decodeOwner, encodeOwner } from './records.ts';

/** The objects of a class that have stored something in a directory. */
export async function* listObjects(
  tables: Pick<Tables, 'get' | 'iterate'> & {
    readonly owners: (prefix: string) => AsyncIterable<string> | Iterable<string>;
  },
  { number, name: className, storage }: ClassEntry,
): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }> {
  const prefix = encodeOwner(number, '00'.repeat(32)).slice(0, 2);
  if (storage === 'kv') {
    for await (const owner of tables.owners(prefix)) {
      const { name } = await readEntry(tables, owner as Owner);
      yield { id: new DurableObjectId(decodeOwner(owner as Owner).idHex, className, name), name };
    }
    return;
  }
  for await (const [owner, bytes] of tables.iterate(reserved.objects, { start: prefix })) {
    if (!owner.startsWith(prefix)) return;
    const { name } = decodeEntry(bytes);
    yield { id: new DurableObjectId(decodeOwner(owner as Owner).idHex, className, name), name };
  }
}

/** Every object that has an alarm, with its time. */
export async function* listAlarms(
  tables: Pick<Tables, 'iterate'>,
): AsyncGenerator<readonly [owner: Owner, time: number]> {
  for await (const [owner, bytes] of tables.iterate(reserved.alarms)) yield [owner as Owner, alarmOf(bytes)];
}

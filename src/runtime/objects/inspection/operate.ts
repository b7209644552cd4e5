/**
 * An operator's action on an object from outside. It is an event of the object like any other: it waits at the input
 * gate, no other event is admitted meanwhile, and it resolves once the journal has it on disk. Then the object is
 * reset, so that its code, which may have cached stored values, reads them again.
 */
import { hash } from 'node:crypto';
import { decodeValue, encodeValue } from '#values';
import { flagged, ObjectChangedError } from '../errors.ts';
import type { Resident } from '../live/live-objects.ts';
import type { DurableObjectStorage } from '../storage/storage.ts';

/** Plain data, in whichever process the object runs. */
export type OperatorAction =
  | {
      readonly do: 'put';
      readonly key: string;
      /** Encoded as on disk. */
      readonly value: Uint8Array;
      /** Fails unless the value still has this version; null requires that there is no value. */
      readonly version?: string | null;
    }
  | { readonly do: 'delete'; readonly key: string; readonly version?: string | null }
  | { readonly do: 'sql'; readonly sql: string; readonly rowsMax: number }
  | {
      /** All of them, or none. */
      readonly do: 'fill';
      /** Encoded as on disk. */
      readonly values: readonly (readonly [key: string, value: Uint8Array])[];
      readonly alarm?: number;
    }
  | { readonly do: 'set-alarm'; readonly time: number }
  | { readonly do: 'cancel-alarm' };

export interface OperatorResult {
  /** The bookmark that undoes it, of an object with history. */
  readonly undo?: string;
  /** The columns of a SQL result. */
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly (string | number | null | ArrayBuffer)[])[];
  readonly hasMore?: boolean;
  readonly rowsWritten?: number;
  /** Whether there was something to delete. */
  readonly existed?: boolean;
}

export async function operate(
  { actor, alarm: parts }: Resident,
  action: OperatorAction,
  storageKind: 'kv' | 'sql',
): Promise<OperatorResult> {
  const cause = flagged(new Error('Durable Object was reset because an operator changed its storage.'), {
    durableObjectReset: true,
  });
  let done: OperatorResult | undefined;
  const work = async (): Promise<OperatorResult> => {
    const { storage } = (await parts).state;
    const undo = storageKind === 'sql' ? { undo: await storage.getCurrentBookmark() } : {};
    const result = { ...undo, ...(await act(storage, action)) };
    await storage.sync();
    done = result;
    if (action.do !== 'cancel-alarm') actor.break(cause);
    return result;
  };
  try {
    return await actor.enter(() => actor.section(work, 'reject'));
  } catch (error) {
    if (error === cause && done !== undefined) return done;
    throw error;
  }
}

async function act(storage: DurableObjectStorage, action: OperatorAction): Promise<OperatorResult> {
  switch (action.do) {
    case 'put':
      await checkVersion(storage, action);
      await storage.put(action.key, decodeValue(action.value));
      return {};
    case 'delete':
      await checkVersion(storage, action);
      return { existed: await storage.delete(action.key) };
    case 'sql':
      return storage.transactionSync(() => execute(storage, action.sql, action.rowsMax));
    case 'fill':
      await storage.transaction(async (transaction) => {
        for (const [key, value] of action.values) await transaction.put(key, decodeValue(value));
        if (action.alarm !== undefined) await transaction.setAlarm(action.alarm);
      });
      return {};
    case 'set-alarm':
      await storage.setAlarm(action.time);
      return {};
    case 'cancel-alarm': {
      const existed = (await storage.getAlarm()) !== null;
      await storage.deleteAlarm();
      return { existed };
    }
  }
}

async function checkVersion(
  storage: DurableObjectStorage,
  { key, version }: { readonly key: string; readonly version?: string | null },
): Promise<void> {
  if (version === undefined) return;
  const value = await storage.get(key);
  const current = value === undefined ? null : versionOfValue(value);
  if (current !== version) throw new ObjectChangedError();
}

function execute(storage: DurableObjectStorage, sql: string, rowsMax: number): OperatorResult {
  const cursor = storage.sql.exec(sql);
  const rows: (string | number | null | ArrayBuffer)[][] = [];
  let hasMore = false;
  for (const row of cursor.raw()) {
    hasMore = rows.length === rowsMax;
    if (hasMore) break;
    rows.push(row);
  }
  const { columnNames: columns, rowsWritten } = cursor;
  return { columns, rows, hasMore, rowsWritten };
}

/** Distinguishes a value from others that were stored under the same key. */
export function versionOfValue(value: unknown): string {
  return hash('sha256', encodeValue(value), 'hex').slice(0, 32);
}

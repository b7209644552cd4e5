/**
 * Reads the databases of stores from a copy, without waking the objects. The object of a store does not run, so nothing
 * is created, expires or is delivered meanwhile.
 */
import type { ObjectRecord } from './r2/r2-records.ts';
import type { WaitingMessage } from './queues/queue-messages.ts';
import { type ObjectRow, toRecord } from './r2/object-table.ts';

/** A readable database. */
export interface StoredRows {
  exec(query: string, ...bindings: unknown[]): Iterable<Readonly<Record<string, unknown>>>;
}

/** A value of a KV namespace. */
export interface StoredEntry {
  readonly key: string;
  readonly value: Buffer;
  /** In seconds since 1970. */
  readonly expiration: number | null;
  /** As JSON. */
  readonly metadata: string | null;
}

/** An object of a bucket, and the files with its contents, in sequence. */
export interface StoredObject extends ObjectRecord {
  readonly files: readonly string[];
}

/** Entries that have not expired, in the order of their keys. */
export function* readEntries(rows: StoredRows, nowSeconds: number): Generator<StoredEntry> {
  if (!hasTable(rows, 'entries')) return;
  for (const row of rows.exec(
    'SELECT key, value, pieces, expiration, metadata FROM entries WHERE expiration IS NULL OR expiration > ? ORDER BY key',
    nowSeconds,
  )) {
    const { key, value, pieces, expiration, metadata } = row as {
      readonly [Name in 'key' | 'value']: ArrayBuffer;
    } & Pick<StoredEntry, 'expiration' | 'metadata'> & { readonly pieces: number };
    const rest =
      pieces === 0
        ? []
        : Array.from(
            rows.exec('SELECT bytes FROM pieces WHERE key = ? ORDER BY at', key),
            ({ bytes }) => bytes as ArrayBuffer,
          );
    yield {
      key: Buffer.from(key).toString(),
      value: Buffer.concat([value, ...rest].map((bytes) => new Uint8Array(bytes))),
      expiration,
      metadata,
    };
  }
}

/** Objects in the order of their keys. */
export function* readObjects(rows: StoredRows): Generator<StoredObject> {
  if (!hasTable(rows, 'objects')) return;
  for (const row of rows.exec('SELECT * FROM objects ORDER BY key')) {
    const files = rows.exec('SELECT file FROM files WHERE key = ? ORDER BY number', row['key']);
    yield { ...toRecord(row as ObjectRow), files: Array.from(files, ({ file }) => file as string) };
  }
}

/** Messages in the order of their arrival. */
export function* readMessages(rows: StoredRows): Generator<WaitingMessage> {
  if (!hasTable(rows, 'messages')) return;
  for (const row of rows.exec(
    'SELECT id, timestamp, due, attempts, content_type AS contentType, body FROM messages ORDER BY number',
  )) {
    const message = row as unknown as WaitingMessage & { readonly body: ArrayBuffer };
    yield { ...message, body: new Uint8Array(message.body) };
  }
}

function hasTable(rows: StoredRows, name: string): boolean {
  const found = rows.exec("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = ?", name);
  return [...found].length > 0;
}

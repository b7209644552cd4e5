/**
 * A KV namespace as one SQL object: every read sees the last write, and an operator can restore any moment of it.
 *
 * - Keys are stored and ordered as UTF-8 bytes.
 * - A value is in its row, or, if it is long, in the row and in pieces that follow it.
 * - An entry that has expired is never read; the object's alarm, which is set to the next expiry, deletes it.
 */
import { DurableObject, type DurableObjectState } from '#objects';
import { successorOf } from '../byte-order.ts';
import { kvBatchBytesMax, kvExpiredMax, kvPieceBytes } from '../limits.ts';
import { type Expiry, readExpiration } from './kv-rules.ts';

export interface KvEntry {
  readonly value: ArrayBuffer;
  readonly metadata: string | null;
}

export interface KvKey {
  readonly name: string;
  readonly expiration: number | null;
  readonly metadata: string | null;
}

export interface KvRange {
  readonly prefix: string;
  /** Only keys after this one. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface KvPut extends Expiry {
  readonly metadata: string | null;
}

const schema = `
  CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value BLOB NOT NULL, pieces INTEGER NOT NULL, expiration INTEGER, metadata TEXT);
  CREATE INDEX IF NOT EXISTS expirations ON entries (expiration) WHERE expiration IS NOT NULL;
  CREATE TABLE IF NOT EXISTS pieces (key BLOB NOT NULL, at INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (key, at));
`;

export class KvNamespaceObject extends DurableObject {
  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    ctx.storage.sql.exec(schema);
  }

  /** Undefined if the values are too large for one answer. */
  read(keys: readonly string[]): (KvEntry | null)[] | undefined {
    const now = nowSeconds();
    const entries: (KvEntry | null)[] = [];
    let bytes = 0;
    for (const key of keys) {
      const entry = this.#readOne(Buffer.from(key), now);
      bytes += entry?.value.byteLength ?? 0;
      if (bytes > kvBatchBytesMax) return undefined;
      entries.push(entry);
    }
    return entries;
  }

  /** Returns the reason if the expiry is refused: that depends on the time, for which the object has the clock. */
  async write(key: string, value: Uint8Array, { metadata, ...expiry }: KvPut): Promise<string | undefined> {
    const { storage } = this.ctx;
    let expiration: number | null;
    try {
      expiration = readExpiration(expiry, nowSeconds());
    } catch (error) {
      return (error as Error).message;
    }
    const bytes = Buffer.from(key);
    const pieces = Math.max(Math.ceil(value.length / kvPieceBytes) - 1, 0);
    storage.transactionSync(() => {
      this.#drop(bytes);
      storage.sql.exec(
        'INSERT INTO entries (key, value, pieces, expiration, metadata) VALUES (?, ?, ?, ?, ?)',
        bytes,
        value.subarray(0, kvPieceBytes),
        pieces,
        expiration,
        metadata,
      );
      for (let at = 1; at <= pieces; at++) {
        const bytesOfPiece = value.subarray(at * kvPieceBytes, (at + 1) * kvPieceBytes);
        storage.sql.exec('INSERT INTO pieces (key, at, bytes) VALUES (?, ?, ?)', bytes, at, bytesOfPiece);
      }
    });
    if (expiration !== null) await this.#setAlarm();
    return undefined;
  }

  /** Returns the refused keys, with the reasons. */
  async writeMany(
    entries: readonly { readonly key: string; readonly value: Uint8Array; readonly put: KvPut }[],
  ): Promise<{ readonly key: string; readonly reason: string }[]> {
    const refused: { readonly key: string; readonly reason: string }[] = [];
    for (const { key, value, put } of entries) {
      const reason = await this.write(key, value, put);
      if (reason !== undefined) refused.push({ key, reason });
    }
    return refused;
  }

  removeMany(keys: readonly string[]): void {
    this.ctx.storage.transactionSync(() => {
      for (const key of keys) this.#drop(Buffer.from(key));
    });
  }

  /** Deletes everything. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.storage.sql.exec(schema);
  }

  remove(key: string): void {
    this.ctx.storage.transactionSync(() => this.#drop(Buffer.from(key)));
  }

  list({ prefix, after, limit }: KvRange): { readonly keys: KvKey[]; readonly isComplete: boolean } {
    const first = Buffer.from(prefix);
    const end = successorOf(first);
    const rows = this.ctx.storage.sql
      .exec<{ key: ArrayBuffer; expiration: number | null; metadata: string | null }>(
        `SELECT key, expiration, metadata FROM entries
         WHERE key >= ? AND key > ? AND (? IS NULL OR key < ?) AND (expiration IS NULL OR expiration > ?)
         ORDER BY key LIMIT ?`,
        first,
        after === undefined ? Buffer.alloc(0) : Buffer.from(after),
        end,
        end,
        nowSeconds(),
        limit + 1,
      )
      .toArray();
    const keys = rows.slice(0, limit).map(({ key, expiration, metadata }) => ({
      name: Buffer.from(key).toString(),
      expiration,
      metadata,
    }));
    return { keys, isComplete: rows.length <= limit };
  }

  async alarm(): Promise<void> {
    const { storage } = this.ctx;
    storage.transactionSync(() => {
      const expired = storage.sql
        .exec<{ key: ArrayBuffer }>(
          'SELECT key FROM entries WHERE expiration <= ? ORDER BY expiration LIMIT ?',
          nowSeconds(),
          kvExpiredMax,
        )
        .toArray();
      for (const { key } of expired) this.#drop(Buffer.from(key));
    });
    await this.#setAlarm();
  }

  #readOne(key: Buffer, now: number): KvEntry | null {
    const { sql } = this.ctx.storage;
    const row = sql
      .exec<{ value: ArrayBuffer; pieces: number; metadata: string | null }>(
        'SELECT value, pieces, metadata FROM entries WHERE key = ? AND (expiration IS NULL OR expiration > ?)',
        key,
        now,
      )
      .toArray()[0];
    if (row === undefined) return null;
    if (row.pieces === 0) return { value: row.value, metadata: row.metadata };
    const rest = sql
      .exec<{ bytes: ArrayBuffer }>('SELECT bytes FROM pieces WHERE key = ? ORDER BY at', key)
      .toArray();
    const whole = Buffer.concat(
      [row.value, ...rest.map(({ bytes }) => bytes)].map((bytes) => new Uint8Array(bytes)),
    );
    return { value: new Uint8Array(whole).buffer, metadata: row.metadata };
  }

  #drop(key: Buffer): void {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM pieces WHERE key = ?', key);
    sql.exec('DELETE FROM entries WHERE key = ?', key);
  }

  async #setAlarm(): Promise<void> {
    const { next } = this.ctx.storage.sql
      .exec<{ next: number | null }>(
        'SELECT min(expiration) AS next FROM entries WHERE expiration IS NOT NULL',
      )
      .one();
    if (next !== null) await this.ctx.storage.setAlarm(next * 1000);
  }
}

/** Reads the object's clock, which may be virtual. */
function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

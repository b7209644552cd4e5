/** Data of objects in a cluster's database besides heads: records, images, checkpoints, facts, classes, days. */
import type { Position } from '#journal';
import type { Checkpoint, ClusterRecord, ImagePlace, LogDay } from '#objects';
import { ClaimLostError, DatabaseError } from '../errors.ts';
import { listRowsMax, orphanAlarmsMax, readBytesMax, readRowsMax, readRowsFirst } from '../limits.ts';
import type { ObjectKey } from '../ownership/lease-database.ts';
import { dayOf } from '../ownership/log-day.ts';
import { type ConnectionPool, repeatWrite } from './connection-pool.ts';
import type { OwnerSeen } from './postgres-database.ts';
import {
  classStatement,
  orphanAlarmsStatement,
  ownerStatement,
  readStatement,
  releaseStatement,
  removeImageStatement,
  writeCheckpointStatement,
  writeImageStatement,
} from './statements.ts';

/** The claim under which a write is made. */
export interface Holder {
  readonly object: ObjectKey;
  readonly host: string;
  readonly epoch: number;
}

export interface FactRow {
  readonly object: ObjectKey;
  readonly name: string | undefined;
  readonly alarm: number | undefined;
}

export class ObjectStore {
  readonly #pool: ConnectionPool;
  #days: readonly LogDay[] = [];

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** The records of a range, all of which must exist. `since` is a time that none of them precedes. */
  async *readRecords(
    object: ObjectKey,
    { from, to, since }: { readonly from: Position; readonly to: Position; readonly since: number },
  ): AsyncGenerator<ClusterRecord> {
    const key = keyBytes(object);
    let rows = readRowsFirst;
    for (let next: number = from; next <= to;) {
      const range = { from: next, to, rows };
      let page = await this.#readPage(key, range, since);
      if (page.length === 0) {
        // A day may have been added or dropped since the list of days was read.
        await this.#loadDays();
        page = await this.#readPage(key, range, since);
      }
      if (page.length === 0) {
        throw new RangeError(
          `the log of an object lacks its record at position ${next}: the database of the cluster is damaged, or was restored to an earlier state`,
        );
      }
      yield* page;
      next += page.length;
      const bytes = page.reduce((sum, { payload }) => sum + payload.length, 0);
      const fitting = Math.floor((readBytesMax * page.length) / bytes);
      rows = Math.min(readRowsMax, Math.max(1, Math.min(fitting, rows * 4)));
    }
  }

  /** The first records of a range, up to the first gap. */
  async #readPage(
    key: Buffer,
    { from, to, rows: limit }: { readonly from: number; readonly to: number; readonly rows: number },
    since: number,
  ): Promise<ClusterRecord[]> {
    const first = dayOf(since);
    const days = this.#days.filter((day) => day >= first);
    if (days.length === 0) return [];
    try {
      const rows = await this.#pool.query<{ sequence: Position; time: number; payload: Buffer }>({
        text: readStatement(days),
        values: [key, from, to, limit],
      });
      return rows
        .filter(({ sequence }, index) => sequence === from + index)
        .map(({ sequence, time, payload }) => ({ position: sequence, time, payload }));
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.reason !== 'no-table') throw error;
      return [];
    }
  }

  async #loadDays(): Promise<void> {
    const rows = await this.#pool.query<{ readonly day: LogDay }>({
      text: 'SELECT day FROM gatehouse.day ORDER BY day',
    });
    this.#days = rows.map(({ day }) => day);
  }

  async listImages(object: ObjectKey): Promise<ImagePlace[]> {
    return await this.#pool.query<ImagePlace>({
      text: 'SELECT kind, seq::float8 AS position FROM gatehouse.image WHERE object = $1 AND piece = 0',
      values: [keyBytes(object)],
    });
  }

  async *readImage(object: ObjectKey, { kind, position }: ImagePlace): AsyncGenerator<Uint8Array> {
    for (let piece = 0; ; piece++) {
      const [row] = await this.#pool.query<{ readonly bytes: Buffer }>({
        name: 'read_image',
        text: 'SELECT bytes FROM gatehouse.image WHERE object = $1 AND kind = $2 AND seq = $3 AND piece = $4',
        values: [keyBytes(object), kind, position, piece],
      });
      if (row === undefined) return;
      yield row.bytes;
    }
  }

  async writeImage(
    holder: () => Holder,
    place: ImagePlace,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    await this.removeImage(holder, place);
    let piece = 0;
    for await (const bytes of pieces) {
      await this.#guarded(holder, writeImageStatement, [place.kind, place.position, piece, toBuffer(bytes)]);
      piece++;
    }
  }

  async removeImage(holder: () => Holder, { kind, position }: ImagePlace): Promise<void> {
    await this.#guarded(holder, removeImageStatement, [kind, position]);
  }

  async writeCheckpoint(holder: () => Holder, checkpoint: Checkpoint): Promise<void> {
    const { position, floor, time, entry } = checkpoint;
    await this.#guarded(holder, writeCheckpointStatement, [position, floor, time, toBuffer(entry)]);
  }

  /** Runs a statement that has an effect only under a valid claim. It may be repeated, whatever its outcome. */
  async #guarded(holder: () => Holder, text: string, values: readonly unknown[]): Promise<void> {
    await repeatWrite(async () => {
      for (;;) {
        const { object, host, epoch } = holder();
        const [row] = await this.#pool.query<{ readonly mine: number }>({
          text,
          values: [keyBytes(object), host, epoch, ...values],
        });
        if (row?.mine === 1) return;
        // Another claim may have been made meanwhile, to determine the outcome of a write.
        if (holder().epoch === epoch) throw new ClaimLostError();
      }
    });
  }

  /** Releases the object: any host may claim it from now on. */
  async release({ object, host, epoch }: Holder): Promise<void> {
    await this.#pool.query({ text: releaseStatement, values: [keyBytes(object), host, epoch] });
  }

  async ownerOf(object: ObjectKey): Promise<OwnerSeen | undefined> {
    const [owner] = await this.#pool.query<OwnerSeen>({
      name: 'owner',
      text: ownerStatement,
      values: [keyBytes(object)],
    });
    return owner;
  }

  /** Whether the object is in this database. */
  async hasHead(object: ObjectKey): Promise<boolean> {
    const rows = await this.#pool.query({
      name: 'has_head',
      text: 'SELECT 1 FROM gatehouse.head WHERE object = $1',
      values: [keyBytes(object)],
    });
    return rows.length > 0;
  }

  async *listObjects(classPrefix: string): AsyncGenerator<FactRow> {
    const end = Buffer.from(classPrefix, 'latin1');
    const top = Buffer.concat([end, Buffer.alloc(33, 0xff)]);
    const text = `SELECT h.object, f.name, f.alarm FROM gatehouse.head h LEFT JOIN gatehouse.fact f ON f.object = h.object
      WHERE h.object > $1 AND h.object <= $3 AND h.seq > 0 ORDER BY h.object LIMIT $2`;
    for await (const row of this.#inPages<RawFact>(text, end, top)) yield toFact(row);
  }

  async *listAlarms(): AsyncGenerator<FactRow> {
    const text = `SELECT object, name, alarm FROM gatehouse.fact WHERE alarm IS NOT NULL AND object > $1
      ORDER BY object LIMIT $2`;
    for await (const row of this.#inPages<RawFact>(text)) yield toFact(row);
  }

  async factOf(object: ObjectKey): Promise<FactRow | undefined> {
    const [row] = await this.#pool.query<RawFact>({
      text: 'SELECT object, name, alarm FROM gatehouse.fact WHERE object = $1',
      values: [keyBytes(object)],
    });
    return row === undefined ? undefined : toFact(row);
  }

  async orphanAlarms(dueBy: number): Promise<FactRow[]> {
    const rows = await this.#pool.query<RawFact>({
      name: 'orphans',
      text: orphanAlarmsStatement,
      values: [dueBy, orphanAlarmsMax],
    });
    return rows.map((row) => toFact({ ...row, name: null }));
  }

  async recordedClasses(): Promise<Map<string, { readonly number: number; readonly name: string }>> {
    const rows = await this.#pool.query<{
      readonly key: string;
      readonly number: number;
      readonly name: string;
    }>({ text: 'SELECT key, number, name FROM gatehouse.class' });
    return new Map(rows.map(({ key, number, name }) => [key, { number, name }]));
  }

  /** Two hosts may each declare a class at the same time: then one of them tries again. */
  async recordClass(key: string, name: string): Promise<number> {
    const statement = { text: classStatement, values: [key, name] };
    const [row] = await repeatWrite(() => this.#pool.query<{ readonly number: number }>(statement));
    return row!.number;
  }

  /** Stores a class under the number that it has elsewhere. */
  async copyClass(
    key: string,
    { number, name }: { readonly number: number; readonly name: string },
  ): Promise<void> {
    await this.#pool.query({
      text: `INSERT INTO gatehouse.class (key, number, name) VALUES ($1, $2, $3)
        ON CONFLICT (key) DO UPDATE SET name = excluded.name`,
      values: [key, number, name],
    });
  }

  /** Whether there was a table for the day when the list of days was last read. */
  hasDay(day: LogDay): boolean {
    return this.#days.includes(day);
  }

  /** The time by the clock of the database. */
  async readTime(): Promise<number> {
    const [row] = await this.#pool.query<{ readonly now: number }>({
      text: 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
    });
    return row!.now;
  }

  async daysBefore(time: number): Promise<LogDay[]> {
    await this.#loadDays();
    const last = dayOf(time);
    return this.#days.filter((day) => day < last);
  }

  async *unsettled(day: LogDay): AsyncGenerator<{ readonly object: ObjectKey; readonly last: number }> {
    const text = `SELECT d.object, d.last::float8 AS last, coalesce(c.floor, 0)::float8 AS floor FROM (
        SELECT object, max(seq) AS last FROM gatehouse.${day} WHERE object > $1 GROUP BY object ORDER BY object LIMIT $2) d
      LEFT JOIN gatehouse.checkpoint c ON c.object = d.object ORDER BY d.object`;
    const rows = this.#inPages<{ object: Buffer; last: number; floor: number }>(text);
    for await (const { object, last, floor } of rows)
      if (floor < last) yield { object: object.toString('latin1'), last };
  }

  /** The rows of a statement that returns `$2` rows at most, ordered by the object, after the object `$1`. */
  async *#inPages<Row extends { readonly object: Buffer }>(
    text: string,
    first: Buffer = Buffer.alloc(0),
    ...values: readonly unknown[]
  ): AsyncGenerator<Row> {
    for (let after = first; ;) {
      const rows = await this.#pool.query<Row>({ text, values: [after, listRowsMax, ...values] });
      yield* rows;
      if (rows.length < listRowsMax) return;
      after = rows.at(-1)!.object;
    }
  }

  /** No host writes to it meanwhile: one whose clock is far behind waits, and then has to create it again. */
  async dropDay(day: LogDay): Promise<boolean> {
    const isDropped = await this.#pool.use((connection) =>
      connection.transact(async (query) => {
        await query({ text: `LOCK TABLE gatehouse.${day} IN ACCESS EXCLUSIVE MODE` });
        const [row] = (await query({
          text: `SELECT count(*)::int AS needed FROM (SELECT object, max(seq) AS last FROM gatehouse.${day} GROUP BY object) d
            LEFT JOIN gatehouse.checkpoint c ON c.object = d.object WHERE coalesce(c.floor, 0) < d.last`,
        })) as [{ readonly needed: number }];
        if (row.needed > 0) return false;
        await query({ text: `DROP TABLE gatehouse.${day}` });
        await query({ text: 'DELETE FROM gatehouse.day WHERE day = $1', values: [day] });
        return true;
      }),
    );
    if (isDropped) this.#days = this.#days.filter((each) => each !== day);
    return isDropped;
  }
}

interface RawFact {
  readonly object: Buffer;
  readonly name: Buffer | null;
  readonly alarm: number | null;
}

function toFact({ object, name, alarm }: RawFact): FactRow {
  return { object: object.toString('latin1'), name: name?.toString(), alarm: alarm ?? undefined };
}

function keyBytes(object: ObjectKey): Buffer {
  return Buffer.from(object, 'latin1');
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

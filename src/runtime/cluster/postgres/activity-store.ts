/**
 * Logs of frames and blocks that a cluster's database stores besides objects, without history. The writers define the
 * content of frames and blocks (room `events`).
 *
 * A log belongs to the host that took it last: each write locks its row in `activity_log` and is done only if the
 * writer there is still this one. So once a log was taken, each write of an earlier host is either there or will never
 * be.
 */
import { randomUUID } from 'node:crypto';
import type { Position } from '#journal';
import { ClaimLostError } from '../errors.ts';
import { commitBytesMax } from '../limits.ts';
import { encodeBytesArray, encodeFloat8Array, encodeInt8Array } from './binary-arrays.ts';
import { type ConnectionPool, repeatWrite } from './connection-pool.ts';

interface LogFrame {
  readonly position: Position;
  readonly time: number;
  readonly payload: Uint8Array;
}

interface SegmentName {
  readonly expiresMs: number;
  readonly number: number;
}

interface Summary {
  readonly rows: number;
  readonly lastSequence: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

interface Block {
  readonly offset: number;
  readonly head: Uint8Array;
  readonly bytes: Uint8Array;
  readonly summary: Summary;
}

export class ActivityStore {
  readonly #pool: ConnectionPool;
  readonly #label: string;

  constructor(pool: ConnectionPool, label: string) {
    this.#pool = pool;
    this.#label = label;
  }

  async has(name: string): Promise<boolean> {
    const text = 'SELECT 1 FROM gatehouse.activity_log WHERE name = $1';
    return (await this.#pool.query({ name: 'has_log', text, values: [name] })).length > 0;
  }

  async take(name: string): Promise<ActivityLogRows> {
    const writer = randomUUID();
    const [row] = await this.#pool.query<{ readonly id: number }>({
      name: 'take_log',
      text: `INSERT INTO gatehouse.activity_log (name, writer) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET writer = excluded.writer RETURNING id`,
      values: [name, writer],
    });
    return new ActivityLogRows(this.#pool, { id: row!.id, writer, label: `log ${name} in ${this.#label}` });
  }
}

/** The rows of a log that was taken. Every write may be sent again, whatever its outcome. */
export class ActivityLogRows {
  readonly label: string;
  readonly #pool: ConnectionPool;
  readonly #id: number;
  readonly #writer: string;

  constructor(
    pool: ConnectionPool,
    { id, writer, label }: { readonly id: number; readonly writer: string; readonly label: string },
  ) {
    this.#pool = pool;
    this.#id = id;
    this.#writer = writer;
    this.label = label;
  }

  async readFrames(): Promise<LogFrame[]> {
    return await this.#pool.query<LogFrame>({
      name: 'read_frames',
      text: `SELECT position::float8 AS position, time, payload FROM gatehouse.activity_frame WHERE log = $1
        ORDER BY position`,
      values: [this.#id],
    });
  }

  async addFrame({ position, time, payload }: LogFrame): Promise<void> {
    const statement = `INSERT INTO gatehouse.activity_frame (log, position, time, payload)
      SELECT id, $3::int8, $4::float8, $5::bytea FROM mine ON CONFLICT DO NOTHING`;
    await this.#write('add_frame', statement, [position, time, payload]);
  }

  async dropFramesBefore(position: Position): Promise<void> {
    const statement = `DELETE FROM gatehouse.activity_frame f USING mine WHERE f.log = mine.id AND f.position < $3::int8`;
    await this.#write('drop_frames', statement, [position]);
  }

  async listSegments(): Promise<(SegmentName & Summary & { readonly bytes: number })[]> {
    return await this.#pool.query({
      name: 'list_segments',
      text: `SELECT expires AS "expiresMs", number::float8 AS number, sum(rows)::float8 AS rows,
          max(last_sequence)::float8 AS "lastSequence", min(first_ms) AS "firstMs", max(last_ms) AS "lastMs",
          sum(octet_length(bytes))::float8 AS bytes
        FROM gatehouse.activity_block WHERE log = $1 GROUP BY expires, number ORDER BY number`,
      values: [this.#id],
    });
  }

  async addBlocks({ expiresMs, number }: SegmentName, blocks: readonly Block[]): Promise<void> {
    const statement = `INSERT INTO gatehouse.activity_block
        (log, expires, number, start, rows, last_sequence, first_ms, last_ms, head, bytes)
      SELECT id, $3::float8, $4::int8, b.* FROM mine,
        unnest($5::int8[], $6::int8[], $7::int8[], $8::float8[], $9::float8[], $10::bytea[], $11::bytea[]) b
      ON CONFLICT DO NOTHING`;
    for (const some of divide(blocks)) {
      await this.#write('add_blocks', statement, [
        expiresMs,
        number,
        encodeInt8Array(some.map(({ offset }) => offset)),
        encodeInt8Array(some.map(({ summary }) => summary.rows)),
        encodeInt8Array(some.map(({ summary }) => summary.lastSequence)),
        encodeFloat8Array(some.map(({ summary }) => summary.firstMs)),
        encodeFloat8Array(some.map(({ summary }) => summary.lastMs)),
        encodeBytesArray(some.map(({ head }) => head)),
        encodeBytesArray(some.map(({ bytes }) => bytes)),
      ]);
    }
  }

  async readHeads(segments: readonly SegmentName[]): Promise<Uint8Array[][]> {
    const rows = await this.#pool.query<{ readonly place: number; readonly head: Buffer }>({
      name: 'read_heads',
      text: `SELECT s.i::int AS place, b.head
        FROM unnest($2::float8[], $3::int8[]) WITH ORDINALITY AS s(expires, number, i)
        JOIN gatehouse.activity_block b ON b.log = $1 AND b.expires = s.expires AND b.number = s.number
        ORDER BY s.i, b.start`,
      values: [
        this.#id,
        encodeFloat8Array(segments.map(({ expiresMs }) => expiresMs)),
        encodeInt8Array(segments.map(({ number }) => number)),
      ],
    });
    const heads: Uint8Array[][] = segments.map(() => []);
    for (const { place, head } of rows) heads[place - 1]!.push(head);
    return heads;
  }

  async readBlocks(
    blocks: readonly { readonly segment: SegmentName; readonly offset: number }[],
  ): Promise<(Uint8Array | undefined)[]> {
    const rows = await this.#pool.query<{ readonly place: number; readonly bytes: string }>({
      name: 'read_blocks',
      // Requested as bytes, the client library would get hexadecimal digits, which take more than twice the time.
      text: `SELECT s.i::int AS place, encode(b.bytes, 'base64') AS bytes
        FROM unnest($2::float8[], $3::int8[], $4::int8[]) WITH ORDINALITY AS s(expires, number, start, i)
        JOIN gatehouse.activity_block b
          ON b.log = $1 AND b.expires = s.expires AND b.number = s.number AND b.start = s.start`,
      values: [
        this.#id,
        encodeFloat8Array(blocks.map(({ segment }) => segment.expiresMs)),
        encodeInt8Array(blocks.map(({ segment }) => segment.number)),
        encodeInt8Array(blocks.map(({ offset }) => offset)),
      ],
    });
    const found: (Uint8Array | undefined)[] = blocks.map(() => undefined);
    for (const { place, bytes } of rows) found[place - 1] = Buffer.from(bytes, 'base64');
    return found;
  }

  async dropSegment({ expiresMs, number }: SegmentName): Promise<void> {
    const statement = `DELETE FROM gatehouse.activity_block b USING mine
      WHERE b.log = mine.id AND b.expires = $3::float8 AND b.number = $4::int8`;
    await this.#write('drop_segment', statement, [expiresMs, number]);
  }

  async #write(name: string, statement: string, values: readonly unknown[]): Promise<void> {
    const text = `WITH mine AS MATERIALIZED (
        SELECT id FROM gatehouse.activity_log WHERE id = $1 AND writer = $2 FOR SHARE),
      done AS (${statement})
      SELECT count(*)::int AS mine FROM mine`;
    const [row] = await repeatWrite(() =>
      this.#pool.query<{ readonly mine: number }>({
        name,
        text,
        values: [this.#id, this.#writer, ...values],
      }),
    );
    if (row!.mine !== 1) throw new ClaimLostError();
  }
}

/** Splits blocks into groups that each fit a statement. */
function divide(blocks: readonly Block[]): Block[][] {
  const parts: Block[][] = [];
  let bytes = Infinity;
  for (const block of blocks) {
    if (bytes + block.bytes.length > commitBytesMax) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(block);
    bytes += block.bytes.length;
  }
  return parts;
}

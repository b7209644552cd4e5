/** The frequent statements, which are prepared. */
import type { LogDay } from '#objects';

/**
 * Reads the lease by the clock of the database; moves each head whose host, epoch and sequence match; logs those
 * writes; returns whether the lease was valid and which writes were done. The epoch is the fence; the lease stops a
 * host that no other has replaced yet. The conditions on epoch and sequence let the planner expect few rows. The answer
 * repeats the number of the commit: several are pipelined on one connection, and a proxy in between may mix up their
 * answers.
 */
export function commitStatement(day: LogDay, hasFacts: boolean): string {
  const facts = `,
  noted AS (INSERT INTO gatehouse.fact AS f (object, name, alarm)
    SELECT object, name, alarm FROM moved WHERE name IS NOT NULL OR rings
    ON CONFLICT (object) DO UPDATE SET name = coalesce(excluded.name, f.name),
      alarm = CASE WHEN (SELECT rings FROM moved m WHERE m.object = f.object) THEN excluded.alarm ELSE f.alarm END)`;
  const columns = hasFacts ? ', $7::bytea[], $8::bool[], $9::float8[]' : '';
  const names = hasFacts ? ', name, rings, alarm' : '';
  const more = hasFacts ? ', b.name, b.rings, b.alarm' : '';
  return `WITH lease AS MATERIALIZED (
    SELECT id FROM gatehouse.host WHERE id = $1 AND NOT dead AND until > clock_timestamp()),
  moved AS (UPDATE gatehouse.head h SET seq = b.seq, wrote = b.epoch
    FROM lease, unnest($2::bytea[], $3::int8[], $4::int8[], $5::float8[], $6::bytea[]${columns})
      WITH ORDINALITY AS b(object, epoch, seq, at, record${names}, i)
    WHERE b.epoch > 0 AND b.seq > 0 AND h.object = b.object AND h.host = lease.id AND h.epoch = b.epoch
      AND h.seq = b.seq - 1
    RETURNING b.i, h.object, h.seq, h.epoch, b.at, b.record${more}),
  kept AS (INSERT INTO gatehouse.${day} (object, seq, epoch, at, record)
    SELECT object, seq, epoch, at, record FROM moved)${hasFacts ? facts : ''}
  SELECT $${hasFacts ? 10 : 7}::int4 AS number, (SELECT count(*)::int FROM lease) AS leased, array(SELECT i::int FROM moved) AS done`;
}

/**
 * Whether the lease of a host has expired by the clock of the database. A lease that lasts longer than possible was
 * written before that clock was set back, and is meaningless: then only the clocks of the watching hosts decide.
 */
export const leaseOver = `(until < clock_timestamp()
    OR until > clock_timestamp() + 2 * lease_ms * interval '1 millisecond')`;

/** Whether a host runs the most recently deployed code, where all must run the same. */
const isCurrent = `(code = '' OR code = (SELECT c.code FROM gatehouse.cluster c))`;

export const beatStatement = `WITH mine AS (UPDATE gatehouse.host
    SET beat = beat + 1, until = clock_timestamp() + $2::float8 * interval '1 millisecond', load = $3, leaving = $4,
      busy_ms = 0
    WHERE id = $1 AND NOT dead AND ${isCurrent} RETURNING beat)
  SELECT id, beat::float8 AS beat, lease_ms AS "leaseMs", ${leaseOver} AS "isOver", address,
    load, leaving AS "isLeaving", busy_ms AS "busyMs",
    (SELECT count(*)::int FROM mine) AS alive
  FROM gatehouse.host WHERE ($5::bool AND NOT dead) OR id = $1`;

/** Like the beat, while the thread that runs the objects computes: it reports for how long. */
export const keepStatement = `WITH mine AS (UPDATE gatehouse.host
    SET beat = beat + 1, until = clock_timestamp() + $2::float8 * interval '1 millisecond', busy_ms = $3
    WHERE id = $1 AND NOT dead AND ${isCurrent} RETURNING id)
  SELECT (SELECT count(*)::int FROM mine) AS renewed FROM gatehouse.host WHERE id = $1`;

/** From then on every object of the host can be claimed. */
export const releaseHostStatement = 'UPDATE gatehouse.host SET dead = true WHERE id = $1';

export const buryStatement = `UPDATE gatehouse.host SET dead = true
  WHERE id = $1 AND beat = $2 AND NOT dead AND ${leaseOver} RETURNING id`;

export const othersStatement = `SELECT id, beat::float8 AS beat, lease_ms AS "leaseMs", ${leaseOver} AS "isOver"
  FROM gatehouse.host WHERE NOT dead AND code <> $1`;

/** Creates the head of a new object, or takes an object that no host, a dead host or this host has. */
export const claimStatement = `INSERT INTO gatehouse.head AS h (object, host, epoch, seq, wrote)
  SELECT $2::bytea, m.id, 1, 0, 0 FROM gatehouse.host m
    WHERE m.id = $1 AND NOT m.dead AND m.until > clock_timestamp()
  ON CONFLICT (object) DO UPDATE SET host = excluded.host, epoch = h.epoch + 1
    WHERE h.host IS NULL OR h.host = excluded.host
      OR NOT EXISTS (SELECT 1 FROM gatehouse.host o WHERE o.id = h.host AND NOT o.dead)
  RETURNING epoch::float8 AS epoch, seq::float8 AS sequence, wrote::float8 AS wrote`;

export const releaseStatement = `UPDATE gatehouse.head SET host = NULL
  WHERE object = $1 AND host = $2 AND epoch = $3`;

export const checkpointStatement = `SELECT seq::float8 AS sequence, floor::float8 AS floor, at AS time, entry
  FROM gatehouse.checkpoint WHERE object = $1`;

export const ownerStatement = `SELECT m.id AS host, m.beat::float8 AS beat, m.lease_ms AS "leaseMs", m.address
  FROM gatehouse.head h JOIN gatehouse.host m ON m.id = h.host AND NOT m.dead WHERE h.object = $1`;

export function readStatement(days: readonly LogDay[]): string {
  const parts = days.map(
    (day) =>
      `SELECT seq, at, record FROM gatehouse.${day} WHERE object = $1 AND seq BETWEEN $2::int8 AND $3::int8`,
  );
  return `SELECT seq::float8 AS sequence, at AS time, record AS payload FROM (${parts.join(' UNION ALL ')}) AS r
    ORDER BY seq LIMIT $4::int`;
}

/** Locks the head, so that a claim happens either before or after. */
const mine = `mine AS MATERIALIZED (
  SELECT object FROM gatehouse.head WHERE object = $1 AND host = $2 AND epoch = $3 FOR UPDATE)`;

export const removeImageStatement = `WITH ${mine},
  gone AS (DELETE FROM gatehouse.image i USING mine
    WHERE i.object = mine.object AND i.kind = $4::text AND i.seq = $5::int8 RETURNING i.piece)
  SELECT (SELECT count(*)::int FROM mine) AS mine, (SELECT count(*)::int FROM gone) AS gone`;

export const writeImageStatement = `WITH ${mine},
  written AS (INSERT INTO gatehouse.image (object, kind, seq, piece, bytes)
    SELECT object, $4::text, $5::int8, $6::int4, $7::bytea FROM mine
    ON CONFLICT (object, kind, seq, piece) DO UPDATE SET bytes = excluded.bytes RETURNING piece)
  SELECT count(*)::int AS mine FROM written`;

export const writeCheckpointStatement = `WITH ${mine},
  written AS (INSERT INTO gatehouse.checkpoint (object, seq, floor, at, entry)
    SELECT object, $4::int8, $5::int8, $6::float8, $7::bytea FROM mine
    ON CONFLICT (object) DO UPDATE
      SET seq = excluded.seq, floor = excluded.floor, at = excluded.at, entry = excluded.entry RETURNING seq)
  SELECT count(*)::int AS mine FROM written`;

export const orphanAlarmsStatement = `SELECT f.object, f.alarm FROM gatehouse.fact f
  WHERE f.alarm <= $1 AND NOT EXISTS (SELECT 1 FROM gatehouse.head h JOIN gatehouse.host m ON m.id = h.host AND NOT m.dead
    WHERE h.object = f.object)
  ORDER BY f.alarm LIMIT $2`;

export const classStatement = `INSERT INTO gatehouse.class AS c (key, number, name)
  SELECT $1::text, coalesce(max(number), 0) + 1, $2::text FROM gatehouse.class
  ON CONFLICT (key) DO UPDATE SET name = excluded.name RETURNING number`;

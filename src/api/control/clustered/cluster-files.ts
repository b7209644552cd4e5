/**
 * The objects of a cluster that correspond to files of a data directory, as SQLite files: written to import them into a
 * cluster, read to export them. Moving them therefore runs none of their code.
 */
import { DatabaseSync } from 'node:sqlite';
import { touchPrivateFile } from '#files';
import type { CoreRules } from '#seclang';
import type { RecordedEvent, SecurityEvent } from '#events';
import { activityTables, oldEventTable } from '../objects/activity-log.ts';
import { certificatesSecret, clusterStateTables, joinRules, splitRules } from '../objects/cluster-state.ts';

/** An event, with its retention time. */
interface KeptEvent extends RecordedEvent {
  readonly keptMs: number;
}

/** Counts of a minute or an hour. */
export interface KeptCounts {
  readonly unitMs: number;
  readonly atMs: number;
  readonly keptMs: number;
  readonly counts: readonly number[];
}

/** The content of the object `ClusterState`. */
export interface ClusterStateContent {
  /** Undefined if nothing was encrypted yet. */
  readonly certificatesKey: Uint8Array | undefined;
  readonly coreRules: CoreRules | undefined;
  readonly isUnfinished: boolean;
}

/** Writes the counts of a zone. The file must not exist. */
export function writeCountsFile(file: string, counts: Iterable<KeptCounts>): void {
  using database = createFile(file, activityTables);
  database.exec('BEGIN');
  const addCounts = database.prepare('INSERT INTO traffic VALUES (?, ?, ?, ?)');
  for (const { unitMs, atMs, keptMs, counts: each } of counts)
    addCounts.run(unitMs, atMs, atMs + keptMs, JSON.stringify(each));
  database.exec('COMMIT');
}

/** Events that are still stored as rows of the object. */
export function* readOldEventsOf(file: string): Generator<KeptEvent> {
  using database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  if (tables.get(oldEventTable) === undefined) return;
  const rows = database.prepare(
    `SELECT at_ms, expires_ms, document, judged FROM ${oldEventTable} ORDER BY sequence`,
  );
  for (const row of rows.iterate()) {
    const { at_ms, expires_ms, document, judged } = row as Record<string, number & string>;
    const event = JSON.parse(document!) as SecurityEvent;
    yield { event, keptMs: expires_ms! - at_ms!, ...(judged === null ? {} : { judged: judged! }) };
  }
}

export function readCountsOf(file: string): KeptCounts[] {
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('SELECT unit_ms, at_ms, expires_ms, counts FROM traffic').all();
  return rows.map((row) => {
    const { unit_ms, at_ms, expires_ms, counts } = row as Record<string, number & string>;
    return {
      unitMs: unit_ms!,
      atMs: at_ms!,
      keptMs: expires_ms! - at_ms!,
      counts: JSON.parse(counts!) as number[],
    };
  });
}

export function writeStateFile(file: string, content: ClusterStateContent): void {
  using database = createFile(file, clusterStateTables);
  const { certificatesKey, coreRules, isUnfinished } = content;
  if (certificatesKey !== undefined)
    database.prepare('INSERT INTO secrets VALUES (?, ?)').run(certificatesSecret, certificatesKey);
  if (isUnfinished) database.exec('INSERT INTO unfinished_import VALUES (1)');
  const addPart = database.prepare('INSERT INTO core_rule_parts VALUES (?, ?)');
  for (const [place, part] of splitRules(coreRules)) addPart.run(place, part);
  database.prepare('INSERT INTO core_rules VALUES (1, ?)').run(coreRules?.digest ?? '');
}

export function readStateFile(file: string): ClusterStateContent {
  using database = new DatabaseSync(file, { readOnly: true });
  const [secret] = database.prepare('SELECT value FROM secrets WHERE name = ?').all(certificatesSecret);
  const parts = database.prepare('SELECT text FROM core_rule_parts ORDER BY part').all();
  return {
    certificatesKey: secret?.['value'] as Uint8Array | undefined,
    coreRules: joinRules(parts.map(({ text }) => text as string)),
    isUnfinished: database.prepare('SELECT 1 FROM unfinished_import').all().length > 0,
  };
}

/** The zones of an account, from its database. */
export function readZonesOf(file: string): { readonly id: string; readonly plan: string }[] {
  using database = new DatabaseSync(file, { readOnly: true });
  return database.prepare('SELECT id, plan FROM zones').all() as { id: string; plan: string }[];
}

function createFile(file: string, tables: readonly string[]): DatabaseSync {
  touchPrivateFile(file);
  const database = new DatabaseSync(file);
  // The file is needed only briefly.
  database.exec('PRAGMA synchronous = OFF');
  database.exec(tables.join(';\n'));
  return database;
}

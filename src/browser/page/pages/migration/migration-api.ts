/** The reads and writes of the migration pages. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ErrorEntry, Result, Sent } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { isSame, type SeenVersion, writeUnlessChanged } from '../../api/guarded-write.ts';
import {
  type EntryPoint,
  entryPointPath,
  type EntryRule,
  placeOf,
  readEntryPoint,
  toSentRule,
} from '../../api/managed/entry-point.ts';
import { read, readWithNotes } from '../../api/read.ts';
import type { MigrationState } from './migration-state.ts';

export type MigrationStatus = Result<'migration.status'>;

/** An obstacle to a migration, or a loss. */
export type Note = ErrorEntry;

const phaseTwo = { phase_two: 1 };

export function statusQuery(zone_id: string) {
  return read('/zones/{zone_id}/waf_migration/status', { zone_id });
}

export function checkQuery(zone_id: string) {
  return readWithNotes('/zones/{zone_id}/waf_migration/check', { zone_id, query: phaseTwo });
}

export function proposalQuery(zone_id: string) {
  return readWithNotes('/zones/{zone_id}/waf_migration/config', { zone_id, query: phaseTwo });
}

export type GenerationComparison = Result<'migration.compare'>;
export type ComparedRequest = GenerationComparison['compared'][number];
export type ComparedRule = ComparedRequest['next']['rules'][number];

/** Both generations since validation started; `rules` are the edited, unsaved ones. */
export function comparisonQuery(zone_id: string, rules: readonly EntryRule[] | undefined) {
  return queryOptions({
    queryKey: ['zones', zone_id, 'comparison', rules],
    queryFn: ({ signal }) => {
      const body = (rules === undefined ? {} : { rules: rules.map(toSentRule) }) as Sent<'migration.compare'>;
      return resultOf(client.post('/zones/{zone_id}/waf_migration/comparison', { zone_id, body, signal }));
    },
    placeholderData: keepPreviousData,
  });
}

/** How a configuration is sent: `validation` beside the legacy rules, `pending` instead of them. */
export interface MigrationStep {
  readonly to: 'validation' | 'pending';
  /** The rules only log. */
  readonly isWatched?: boolean;
  readonly isDryRun?: boolean;
}

/** The server's notes on the configuration, and the stored entry point. */
interface SentConfiguration {
  readonly notes: readonly Note[];
  /** Null after a dry run. */
  readonly entryPoint: EntryPoint | null;
}

export async function sendConfiguration(
  zoneId: string,
  rules: readonly EntryRule[],
  { to, isWatched = false, isDryRun = false }: MigrationStep,
  version?: SeenVersion,
): Promise<SentConfiguration> {
  const query = {
    waf_migration: to,
    phase_two: 1,
    watch: isWatched ? true : undefined,
    dry_run: isDryRun ? true : undefined,
  };
  const body = { name: 'default', rules: rules.map(toSentRule) };
  const { result, messages } = await client.put(entryPointPath, { ...placeOf(zoneId), query, body, version });
  return { notes: messages, entryPoint: result as EntryPoint | null };
}

/** What the reader saw when deciding. */
export interface SeenMigration {
  readonly state: MigrationState;
  /** The version of the entry point, if there was one. */
  readonly version: string | undefined;
  /** The proposal, if the reader's decision was about it. */
  readonly proposal?: readonly EntryRule[];
}

/** Takes the step unless the zone differs from what the reader saw. */
export function takeStep(
  zoneId: string,
  rules: readonly EntryRule[],
  { step, seen }: { readonly step: MigrationStep; readonly seen: SeenMigration },
): Promise<SentConfiguration> {
  return writeUnlessChanged(
    () => expectUnchanged(zoneId, seen),
    (version) => sendConfiguration(zoneId, rules, step, version),
  );
}

/** Returns the version of the zone before any of it was read, so that all of the data is of that version. */
async function expectUnchanged(zone_id: string, seen: SeenMigration): Promise<SeenVersion> {
  const status = await client.get('/zones/{zone_id}/waf_migration/status', { zone_id });
  const { migration_state: state } = status.result;
  if (state !== seen.state)
    throw new Error(
      `Nothing was sent: someone else has moved this site from "${seen.state}" to "${state}" in the meantime.`,
    );
  const version = (await readEntryPoint(zone_id)).result?.version;
  if (version !== seen.version)
    throw new Error(
      `Nothing was sent: someone else has changed the managed rulesets of this site (version ${version ?? 'none'}, you saw ${seen.version ?? 'none'}). Review the configuration again.`,
    );
  if (seen.proposal !== undefined) await expectProposal(zone_id, seen.proposal);
  return status.version;
}

async function expectProposal(zone_id: string, seen: readonly EntryRule[]): Promise<void> {
  const { rules } = await resultOf(
    client.get('/zones/{zone_id}/waf_migration/config', { zone_id, query: phaseTwo }),
  );
  if (isSame(rules, seen)) return;
  throw new Error(
    'Nothing was sent: the settings of the previous managed rules have changed in the meantime, and with them the proposal. Review it again.',
  );
}

/** What the pages of the migration read and send. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ErrorEntry, Result } from '#client';
import { client, lookUp, resultOf } from '../../api/client.ts';
import { isSame, type Version, writeUnlessChanged } from '../../api/guarded-write.ts';
import { type ConfiguredRule, toSentRule } from './editor/configuration.ts';
import type { MigrationState } from './migration-state.ts';

export type MigrationStatus = Result<'migration.status'>;

/** What stands in the way of a migration, or is lost by it. */
export type Note = ErrorEntry;

export interface EntryPoint {
  readonly id: string;
  readonly version: string;
  readonly last_updated: string;
  readonly rules: readonly ConfiguredRule[];
}

export type UriOverride = Result<'wafOverrides.list'>[number];

const phaseTwo = { phase_two: 1 };
const entryPointPath = 'rulesets/phases/http_request_firewall_managed/entrypoint';

/** Everything about the migration of a zone, to be read again after a step. */
export function migrationKey(zoneId: string): readonly string[] {
  return ['zones', zoneId, 'migration'];
}

export function statusQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'status'],
    queryFn: ({ signal }) =>
      resultOf(client.get('/zones/{zone_id}/waf_migration/status', { zone_id: zoneId, signal })),
  });
}

export function checkQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'check'],
    async queryFn({ signal }) {
      const answer = await client.get('/zones/{zone_id}/waf_migration/check', {
        zone_id: zoneId,
        query: phaseTwo,
        signal,
      });
      return { isCompatible: answer.result.compatible, obstacles: answer.messages };
    },
  });
}

export function proposalQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'proposal'],
    async queryFn({ signal }) {
      const answer = await client.get('/zones/{zone_id}/waf_migration/config', {
        zone_id: zoneId,
        query: phaseTwo,
        signal,
      });
      return { rules: answer.result.rules, losses: answer.messages };
    },
  });
}

/** Null if the zone has none yet. */
export function entryPointQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'entry-point'],
    queryFn: async ({ signal }) =>
      (await lookUp(client.ask<EntryPoint>('GET', `/zones/${zoneId}/${entryPointPath}`, { signal })))
        .result ?? null,
  });
}

/** The catalogue of a managed ruleset: what its rules are called and do by default. */
export function managedRulesetQuery(zoneId: string, rulesetId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'managed-ruleset', rulesetId],
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/zones/{zone_id}/rulesets/{ruleset_id}', {
          zone_id: zoneId,
          ruleset_id: rulesetId,
          signal,
        }),
      ),
    staleTime: 600_000,
  });
}

export type ManagedRuleset = Result<'rulesets.get'>;
export type ComparedRule = ComparedRequest['next']['rules'][number];
export type ComparedRequest = GenerationComparison['compared'][number];
export type EdgeRefusals = GenerationComparison['by_edge'][number];
export type GenerationComparison = Result<'migration.compare'>;

/** Both generations since validation began; `rules` are those that are edited and not saved. */
export function comparisonQuery(zoneId: string, rules: readonly ConfiguredRule[] | undefined) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'comparison', rules],
    async queryFn({ signal }) {
      const body = rules === undefined ? {} : { rules: rules.map(toSentRule) };
      return resultOf(
        client.post('/zones/{zone_id}/waf_migration/comparison', { zone_id: zoneId, body, signal }),
      );
    },
    placeholderData: keepPreviousData,
  });
}

export function overridesQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'overrides'],
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/zones/{zone_id}/firewall/waf/overrides', {
          zone_id: zoneId,
          query: { per_page: 100 },
          signal,
        }),
      ),
  });
}

export async function deleteOverride(zoneId: string, overrideId: string): Promise<void> {
  await client.delete('/zones/{zone_id}/firewall/waf/overrides/{override_id}', {
    zone_id: zoneId,
    override_id: overrideId,
  });
}

/** How a configuration is sent: `validation` beside the legacy rules, `pending` instead of them. */
export interface Step {
  readonly to: 'validation' | 'pending';
  /** The rules only log. */
  readonly isWatched?: boolean;
  readonly isDryRun?: boolean;
}

/** The server's answer: what it has to say about the configuration, and the entry point that it stored. */
interface Sent {
  readonly notes: readonly Note[];
  /** Null after a dry run. */
  readonly entryPoint: EntryPoint | null;
}

export async function sendConfiguration(
  zoneId: string,
  rules: readonly ConfiguredRule[],
  { to, isWatched = false, isDryRun = false }: Step,
  condition?: Version,
): Promise<Sent> {
  const query = {
    waf_migration: to,
    phase_two: 1,
    watch: isWatched ? true : undefined,
    dry_run: isDryRun ? true : undefined,
  };
  const body = { name: 'default', rules: rules.map(toSentRule) };
  const path = `/zones/${zoneId}/${entryPointPath}`;
  const { result, messages } = await client.ask<EntryPoint | null>('PUT', path, {
    query,
    body,
    version: condition,
  });
  return { notes: messages, entryPoint: result };
}

/** What the reader saw when they decided. */
export interface Seen {
  readonly state: MigrationState;
  /** Of the entry point, if there was one. */
  readonly version: string | undefined;
  /** The proposal, if it is what the reader decided about. */
  readonly proposal?: readonly ConfiguredRule[];
}

/** Somebody else was faster: what was decided about is not there any more. */
class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

/** Takes the step unless the zone is no longer as the reader saw it. */
export async function takeStep(
  zoneId: string,
  rules: readonly ConfiguredRule[],
  { step, seen }: { readonly step: Step; readonly seen: Seen },
): Promise<Sent> {
  return writeUnlessChanged(
    () => expectUnchanged(zoneId, seen),
    (version) => sendConfiguration(zoneId, rules, step, version),
  );
}

/** Returns the version of the zone before anything was read of it, so that all of it is of that version. */
async function expectUnchanged(zoneId: string, seen: Seen): Promise<Version> {
  const status = await client.get('/zones/{zone_id}/waf_migration/status', { zone_id: zoneId });
  const { migration_state: state } = status.result;
  if (state !== seen.state) {
    throw new ChangedError(
      `Nothing was sent: someone else has moved this site from "${seen.state}" to "${state}" in the meantime.`,
    );
  }
  const entryPoint = await lookUp(client.ask<EntryPoint>('GET', `/zones/${zoneId}/${entryPointPath}`));
  const version = entryPoint.result?.version;
  if (version !== seen.version) {
    throw new ChangedError(
      `Nothing was sent: someone else has changed the managed rulesets of this site (version ${version ?? 'none'}, you saw ${seen.version ?? 'none'}). Look at the configuration again.`,
    );
  }
  if (seen.proposal !== undefined) await expectProposal(zoneId, seen.proposal);
  return status.version;
}

async function expectProposal(zoneId: string, seen: readonly ConfiguredRule[]): Promise<void> {
  const { rules } = await resultOf(
    client.get('/zones/{zone_id}/waf_migration/config', { zone_id: zoneId, query: phaseTwo }),
  );
  if (isSame(rules, seen)) return;
  throw new ChangedError(
    'Nothing was sent: the settings of the previous managed rules have changed in the meantime, and with them the proposal. Review it again.',
  );
}

/** What the pages of the migration read and send. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ErrorEntry } from '../../api/api-error.ts';
import { callApi, get, lookUp } from '../../api/client.ts';
import { isSame, type Version, writeUnlessChanged } from '../../api/guarded-write.ts';
import { type ConfiguredRule, toSentRule } from './editor/configuration.ts';
import type { MigrationState } from './migration-state.ts';

export interface MigrationStatus {
  readonly migration_state: MigrationState;
  readonly old_waf_status: 'enabled' | 'disabled';
  readonly new_waf_status: 'enabled' | 'disabled';
  readonly created: string;
  readonly watched: boolean;
}

/** What stands in the way of a migration, or is lost by it. */
export type Note = ErrorEntry;

export interface EntryPoint {
  readonly id: string;
  readonly version: string;
  readonly last_updated: string;
  readonly rules: readonly ConfiguredRule[];
}

export interface UriOverride {
  readonly id: string;
  readonly paused: boolean;
  readonly urls: readonly string[];
  readonly description: string | null;
}

const entryPointPath = 'rulesets/phases/http_request_firewall_managed/entrypoint';

/** Everything about the migration of a zone, to be read again after a step. */
export function migrationKey(zoneId: string): readonly string[] {
  return ['zones', zoneId, 'migration'];
}

export function statusQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'status'],
    queryFn: ({ signal }) => get<MigrationStatus>(`/zones/${zoneId}/waf_migration/status`, { signal }),
  });
}

export function checkQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'check'],
    async queryFn({ signal }) {
      const path = `/zones/${zoneId}/waf_migration/check`;
      const answer = await callApi<{ compatible: boolean }>('GET', path, { query: { phase_two: 1 }, signal });
      return { isCompatible: answer.result.compatible, obstacles: answer.messages };
    },
  });
}

export function proposalQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'proposal'],
    async queryFn({ signal }) {
      const path = `/zones/${zoneId}/waf_migration/config`;
      const answer = await callApi<{ rules: readonly ConfiguredRule[] }>('GET', path, {
        query: { phase_two: 1 },
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
      (await lookUp<EntryPoint>(`/zones/${zoneId}/${entryPointPath}`, { signal })).result ?? null,
  });
}

/** The catalogue of a managed ruleset: what its rules are called and do by default. */
export function managedRulesetQuery(zoneId: string, rulesetId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'managed-ruleset', rulesetId],
    queryFn: ({ signal }) => get<ManagedRuleset>(`/zones/${zoneId}/rulesets/${rulesetId}`, { signal }),
    staleTime: 600_000,
  });
}

export interface ManagedRuleset {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly ManagedRule[];
}

interface ManagedRule {
  readonly id: string;
  readonly action: string;
  readonly enabled: boolean;
  readonly description: string;
  readonly categories?: readonly string[];
}

export interface ComparedRule {
  readonly event_id: string;
  readonly rule_id: string;
  readonly ruleset_id: string;
  readonly description: string;
  /** What the rule does or, where it only watches, would do; `off` if it is turned off. */
  readonly action: string;
}

interface ComparedGeneration {
  readonly outcome: string;
  readonly rules: readonly ComparedRule[];
}

export interface ComparedRequest {
  readonly ray: string;
  readonly datetime: string;
  readonly times: number;
  readonly client_ip: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly verdict: 'differs' | 'unknown' | 'agrees';
  readonly previous: ComparedGeneration;
  readonly next: ComparedGeneration;
}

export interface EdgeRefusals {
  readonly rule_id: string;
  readonly action: string;
  readonly description: string;
  readonly requests: number;
}

export interface GenerationComparison {
  readonly is_complete: boolean;
  readonly requests: number;
  readonly differ: number;
  readonly unknown: number;
  readonly agree: number;
  readonly compared: readonly ComparedRequest[];
  readonly by_edge: readonly EdgeRefusals[];
}

/** Both generations since validation began; `rules` are those that are edited and not saved. */
export function comparisonQuery(zoneId: string, rules: readonly ConfiguredRule[] | undefined) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'comparison', rules],
    async queryFn({ signal }) {
      const body = rules === undefined ? {} : { rules: rules.map(toSentRule) };
      const path = `/zones/${zoneId}/waf_migration/comparison`;
      return (await callApi<GenerationComparison>('POST', path, { body, signal })).result;
    },
    placeholderData: keepPreviousData,
  });
}

export function overridesQuery(zoneId: string) {
  return queryOptions({
    queryKey: [...migrationKey(zoneId), 'overrides'],
    queryFn: ({ signal }) =>
      get<readonly UriOverride[]>(`/zones/${zoneId}/firewall/waf/overrides`, {
        query: { per_page: 100 },
        signal,
      }),
  });
}

export async function deleteOverride(zoneId: string, overrideId: string): Promise<void> {
  await callApi('DELETE', `/zones/${zoneId}/firewall/waf/overrides/${overrideId}`);
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
  const { result, messages } = await callApi<EntryPoint | null>('PUT', path, {
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
  const status = await callApi<MigrationStatus>('GET', `/zones/${zoneId}/waf_migration/status`);
  const { migration_state: state } = status.result;
  if (state !== seen.state) {
    throw new ChangedError(
      `Nothing was sent: someone else has moved this site from "${seen.state}" to "${state}" in the meantime.`,
    );
  }
  const entryPoint = await lookUp<EntryPoint>(`/zones/${zoneId}/${entryPointPath}`);
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
  const path = `/zones/${zoneId}/waf_migration/config`;
  const { rules } = await get<{ rules: readonly ConfiguredRule[] }>(path, { query: { phase_two: 1 } });
  if (isSame(rules, seen)) return;
  throw new ChangedError(
    'Nothing was sent: the settings of the previous managed rules have changed in the meantime, and with them the proposal. Review it again.',
  );
}

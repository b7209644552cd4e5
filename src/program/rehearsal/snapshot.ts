/** The input of a rehearsal about a zone: read only by GET requests, so that the zone cannot change. */
import { type Client, type ErrorEntry, findZone, type Result, type Sent } from '#client';
import { isEvaluatedPhase } from '#rulesets';
import { rulesetIds } from '#managed';
import { RehearsalError } from './rehearsal-error.ts';

/** A client restricted to its reading methods. */
export type ReadApi = Pick<Client, 'get' | 'list'>;

/** The body of the update that migrates the zone. */
type Update = Sent<'rulesets.updateEntryPoint'>;
export type MigrationConfig = Update & Required<Pick<Update, 'rules'>>;
export type ConfigRule = MigrationConfig['rules'][number];

type SnapshotZone = Result<'zones.get'>;

interface SnapshotList {
  readonly name: string;
  readonly kind: string;
  readonly items: readonly object[];
}

export type SnapshotRuleset = Result<'accountRulesets.get'>;
export type SnapshotRule = SnapshotRuleset['rules'][number];

export type ListedFirewallRule = Result<'firewallRules.get'>;

type SnapshotBundle = Result<'bundle.export'>;

export interface ZoneSnapshot {
  readonly zone: SnapshotZone;
  readonly bundle: SnapshotBundle;
  /** The converted legacy settings, and the losses; absent in a zone without anything to migrate. */
  readonly plan?: { readonly config: MigrationConfig; readonly losses: readonly ErrorEntry[] };
  /** The version of the OWASP rules; null for none. Present if the zone can migrate. */
  readonly coreRules?: string | null;
  readonly isWatched: boolean;
  readonly edge: Result<'edge.get'>;
  readonly urlNormalization: Result<'urlNormalization.get'>;
  readonly firewallRules: readonly ListedFirewallRule[];
  readonly lists: readonly SnapshotList[];
  /** Custom rulesets before the entry points that execute them. */
  readonly accountRulesets: readonly SnapshotRuleset[];
}

export async function readSnapshot(api: ReadApi, name: string): Promise<ZoneSnapshot> {
  const zone = await findZone(api, name);
  if (zone === undefined)
    throw new RehearsalError(`there is no zone ${name} that these credentials may read`);
  const zone_id = zone.id;
  const account_id = zone.account.id;
  const { result: bundle } = await api.get('/zones/{zone_id}/export', { zone_id });
  const { result: status } = await api.get('/zones/{zone_id}/waf_migration/status', { zone_id });
  const state = bundle.migration?.migration_state;
  const canMigrate = zone.plan.legacy_id !== 'free' && (state === 'start' || state === 'validation');
  return {
    zone,
    bundle,
    ...(canMigrate
      ? { plan: await readPlan(api, zone_id), coreRules: await readCoreRules(api, zone_id) }
      : {}),
    isWatched: status.watched,
    edge: (await api.get('/zones/{zone_id}/edge', { zone_id })).result,
    urlNormalization: (await api.get('/zones/{zone_id}/url_normalization', { zone_id })).result,
    firewallRules: await readFirewallRules(api, zone_id),
    lists: await readLists(api, account_id),
    accountRulesets: await readAccountRulesets(api, account_id),
  };
}

/** The version of the server's OWASP rules; null for none. */
async function readCoreRules(api: ReadApi, zone_id: string): Promise<string | null> {
  const ruleset_id = rulesetIds.owasp;
  const { result } = await api.get('/zones/{zone_id}/rulesets/{ruleset_id}', { zone_id, ruleset_id });
  return result.content?.version ?? null;
}

async function readPlan(api: ReadApi, zone_id: string): Promise<NonNullable<ZoneSnapshot['plan']>> {
  const query = { phase_two: '1' };
  const { result, messages } = await api.get('/zones/{zone_id}/waf_migration/config', { zone_id, query });
  return { config: result, losses: messages };
}

export function readFirewallRules(api: ReadApi, zone_id: string): Promise<readonly ListedFirewallRule[]> {
  return Array.fromAsync(api.list('/zones/{zone_id}/firewall/rules', { zone_id, query: { per_page: 100 } }));
}

async function readLists(api: ReadApi, account_id: string): Promise<SnapshotList[]> {
  const { result: lists } = await api.get('/accounts/{account_id}/rules/lists', { account_id });
  const read: SnapshotList[] = [];
  for (const { id: list_id, name, kind } of lists) {
    // No expression can name a list of redirects.
    if (kind === 'redirect') continue;
    const path = '/accounts/{account_id}/rules/lists/{list_id}/items';
    const items = await Array.fromAsync(
      api.list(path, { account_id, list_id, query: { per_page: 500 } }),
      ({ ip, asn, hostname }) => JSON.parse(JSON.stringify({ ip, asn, hostname })) as object,
    );
    read.push({ name, kind, items });
  }
  return read;
}

async function readAccountRulesets(api: ReadApi, account_id: string): Promise<SnapshotRuleset[]> {
  const { result: listed } = await api.get('/accounts/{account_id}/rulesets', { account_id });
  const evaluated = listed.filter(({ kind, phase }) => kind !== 'managed' && isEvaluatedPhase(phase));
  const read: SnapshotRuleset[] = [];
  for (const { id: ruleset_id } of evaluated) {
    const path = '/accounts/{account_id}/rulesets/{ruleset_id}';
    read.push((await api.get(path, { account_id, ruleset_id })).result);
  }
  return read.toSorted((a, b) => Number(a.kind === 'root') - Number(b.kind === 'root'));
}

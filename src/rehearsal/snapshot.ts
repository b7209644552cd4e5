/** What a rehearsal knows about a zone: read by GET requests, so that nothing of the zone can change. */
import { isEvaluatedPhase } from '#firewall';
import { rulesetIds } from '#managed';

/** An API that can only be read. */
export interface ReadApi {
  get<Result>(path: string): Promise<Result>;
  /** With `result_info`, for lists that are read by cursors. */
  call(
    method: 'GET',
    path: string,
  ): Promise<{
    readonly result: unknown;
    readonly messages: readonly Note[];
    readonly result_info?: Readonly<Record<string, unknown>>;
  }>;
  findZone(zone: string): Promise<SnapshotZone>;
}

/** What the API says beside a result. */
export interface Note {
  readonly code: number;
  readonly message: string;
}

/** The body of the update that migrates. */
export interface MigrationConfig {
  readonly rules: readonly object[];
  readonly [property: string]: unknown;
}

interface SnapshotZone {
  readonly id: string;
  readonly name: string;
  readonly paused: boolean;
  readonly plan: { readonly legacy_id: string };
  readonly account: { readonly id: string };
}

interface SnapshotList {
  readonly name: string;
  readonly kind: string;
  readonly items: readonly object[];
}

export interface SnapshotRuleset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly phase: string;
  readonly rules?: readonly SnapshotRule[];
}

export interface SnapshotRule {
  readonly id: string;
  readonly [property: string]: unknown;
}

/** As the API lists it. */
export interface ListedFirewallRule {
  readonly id: string;
  readonly [property: string]: unknown;
}

interface SnapshotBundle {
  readonly migration: { readonly migration_state: string };
  readonly lists?: readonly { readonly name: string; readonly kind: string }[];
  readonly [part: string]: unknown;
}

export interface ZoneSnapshot {
  readonly zone: SnapshotZone;
  readonly bundle: SnapshotBundle;
  /** What the legacy settings become, and what is lost; absent in a zone that has nothing to migrate. */
  readonly plan?: { readonly config: MigrationConfig; readonly losses: readonly Note[] };
  /** The version of the OWASP rules; null for none. There if the zone can migrate. */
  readonly coreRules?: string | null;
  readonly isWatched: boolean;
  readonly edge: { readonly over_inspection_limit: string };
  readonly urlNormalization: object;
  readonly firewallRules: readonly ListedFirewallRule[];
  readonly lists: readonly SnapshotList[];
  /** Custom rulesets before the entry points that execute them. */
  readonly accountRulesets: readonly SnapshotRuleset[];
}

export async function readSnapshot(api: ReadApi, zoneNameOrId: string): Promise<ZoneSnapshot> {
  const zone = await api.findZone(zoneNameOrId);
  const path = `/zones/${zone.id}`;
  const account = `/accounts/${zone.account.id}`;
  const bundle = await api.get<SnapshotBundle>(`${path}/export`);
  const status = await api.get<{ watched: boolean }>(`${path}/waf_migration/status`);
  const { migration_state: state } = bundle.migration;
  const canMigrate = zone.plan.legacy_id !== 'free' && (state === 'start' || state === 'validation');
  return {
    zone,
    bundle,
    ...(canMigrate ? { plan: await readPlan(api, path), coreRules: await readCoreRules(api, path) } : {}),
    isWatched: status.watched,
    edge: await api.get(`${path}/edge`),
    urlNormalization: await api.get(`${path}/url_normalization`),
    firewallRules: await readFirewallRules(api, path),
    lists: await readLists(api, account),
    accountRulesets: await readAccountRulesets(api, account),
  };
}

/** The version of the OWASP rules that the server has; null for none. */
async function readCoreRules(api: ReadApi, path: string): Promise<string | null> {
  const { content } = await api.get<{ content?: { version: string | null } }>(
    `${path}/rulesets/${rulesetIds.owasp}`,
  );
  return content?.version ?? null;
}

async function readPlan(api: ReadApi, path: string): Promise<NonNullable<ZoneSnapshot['plan']>> {
  const { result, messages } = await api.call('GET', `${path}/waf_migration/config?phase_two=1`);
  return { config: result as MigrationConfig, losses: messages };
}

export async function readFirewallRules(
  api: Pick<ReadApi, 'call'>,
  path: string,
): Promise<ListedFirewallRule[]> {
  const read: ListedFirewallRule[] = [];
  for (let page = 1; ; page++) {
    const { result, result_info } = await api.call('GET', `${path}/firewall/rules?per_page=100&page=${page}`);
    const rules = result as readonly ListedFirewallRule[];
    read.push(...rules);
    if (rules.length === 0 || page >= Number(result_info?.['total_pages'] ?? 1)) return read;
  }
}

async function readLists(api: ReadApi, account: string): Promise<SnapshotList[]> {
  const lists = await api.get<readonly { id: string; name: string; kind: string }[]>(
    `${account}/rules/lists`,
  );
  const read: SnapshotList[] = [];
  for (const { id, name, kind } of lists) {
    // No expression can name a list of redirects.
    if (kind === 'redirect') continue;
    read.push({ name, kind, items: await readItems(api, `${account}/rules/lists/${id}/items`) });
  }
  return read;
}

async function readItems(api: ReadApi, path: string): Promise<object[]> {
  const items: object[] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { result, result_info } = await api.call('GET', `${path}?per_page=500${next}`);
    for (const { ip, asn, hostname } of result as Readonly<Record<string, unknown>>[]) {
      items.push(JSON.parse(JSON.stringify({ ip, asn, hostname })) as object);
    }
    cursor = (result_info?.['cursors'] as { after?: string } | undefined)?.after;
  } while (cursor !== undefined);
  return items;
}

async function readAccountRulesets(api: ReadApi, account: string): Promise<SnapshotRuleset[]> {
  const listed = await api.get<readonly SnapshotRuleset[]>(`${account}/rulesets`);
  const evaluated = listed.filter(({ kind, phase }) => kind !== 'managed' && isEvaluatedPhase(phase));
  const read: SnapshotRuleset[] = [];
  for (const { id } of evaluated) read.push(await api.get<SnapshotRuleset>(`${account}/rulesets/${id}`));
  return read.toSorted((a, b) => Number(a.kind === 'root') - Number(b.kind === 'root'));
}

/** Firewall rules and filters as the API has them, and the calls that change them. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError, type Result } from '#client';
import { client, lookUp } from '../../api/client.ts';
import { isSame, type Version, writeUnlessChanged } from '../../api/guarded-write.ts';
import { planMove } from './reorder.ts';

export const actions = [
  'block',
  'managed_challenge',
  'js_challenge',
  'challenge',
  'allow',
  'bypass',
  'log',
] as const;
export type Action = (typeof actions)[number];

export type Filter = Result<'filters.get'>;

export type FirewallRule = Result<'firewallRules.get'>;

export type Product = NonNullable<FirewallRule['products']>[number];

export const products: ReadonlyMap<Product, string> = new Map([
  ['waf', 'Managed rules (legacy)'],
  ['rateLimit', 'Rate limits'],
  ['securityLevel', 'Security level'],
  ['hot', 'Hotlink protection'],
  ['bic', 'Browser integrity check'],
  ['uaBlock', 'User agent blocking'],
  ['zoneLockdown', 'Zone lockdown'],
]);

export function expressionOf({ filter }: FirewallRule): string | undefined {
  return 'deleted' in filter ? undefined : filter.expression;
}

/** What people know a rule by. */
export function nameOf(rule: FirewallRule): string {
  return rule.description || expressionOf(rule) || 'A rule whose filter was deleted';
}

export function rulesQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['firewall-rules', zoneId],
    queryFn: ({ signal }) => fetchAll<FirewallRule>(`/zones/${zoneId}/firewall/rules`, signal),
  });
}

export function filtersQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['filters', zoneId],
    queryFn: ({ signal }) => fetchAll<Filter>(`/zones/${zoneId}/filters`, signal),
  });
}

async function fetchAll<Item>(path: string, signal?: AbortSignal): Promise<readonly Item[]> {
  return (await fetchVersion<Item>(path, signal)).items;
}

/** If the zone still has the version of the first page, the other pages are of the same. */
async function fetchVersion<Item>(
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly items: readonly Item[]; readonly version: Version }> {
  const fetchPage = (page: number) =>
    client.ask<readonly Item[]>('GET', path, { query: { per_page: 100, page }, signal });
  const first = await fetchPage(1);
  const { total_pages = 1 } = first.result_info ?? {};
  const others = await Promise.all(
    Array.from({ length: Math.max(0, total_pages - 1) }, (_, index) => fetchPage(index + 2)),
  );
  return { items: [first, ...others].flatMap(({ result }) => result), version: first.version };
}

/** Somebody else changed it in between. Nothing was written. */
export class ChangedInBetween extends Error {
  override readonly name = 'ChangedInBetween';
  readonly theirs: FirewallRule | undefined;

  constructor(theirs: FirewallRule | undefined) {
    super(
      theirs === undefined
        ? 'Somebody deleted this rule in the meantime.'
        : 'Somebody changed this rule in the meantime.',
    );
    this.theirs = theirs;
  }
}

/** Throws unless the rule is still what the reader saw. */
async function requireUnchanged(zoneId: string, seen: FirewallRule): Promise<Version> {
  const { result, version } = await lookUp(
    client.get('/zones/{zone_id}/firewall/rules/{rule_id}', { zone_id: zoneId, rule_id: seen.id }),
  );
  if (!isSame(result, seen)) throw new ChangedInBetween(result);
  return version;
}

/** What a person fills in about a rule. */
export interface RuleDraft {
  readonly description: string;
  readonly action: Action;
  readonly products: readonly Product[];
  readonly priority: string;
  readonly paused: boolean;
  readonly expression: string;
}

export const emptyDraft: RuleDraft = {
  description: '',
  action: 'block',
  products: ['waf'],
  priority: '',
  paused: false,
  expression: '',
};

export function toDraft(rule: FirewallRule): RuleDraft {
  return {
    description: rule.description ?? '',
    action: rule.action,
    products: rule.products ?? ['waf'],
    priority: rule.priority === null ? '' : String(rule.priority),
    paused: rule.paused,
    expression: expressionOf(rule) ?? '',
  };
}

function toContent({ description, action, products, priority, paused }: RuleDraft) {
  return {
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    action,
    ...(action === 'bypass' ? { products } : {}),
    priority: priority.trim() === '' ? null : Number(priority),
    paused,
  };
}

interface FilterChoice {
  readonly id: string;
  /** It was made for this rule, and goes if the rule cannot be saved. */
  readonly isNew: boolean;
  /** Of the zone, when it has the filter. */
  readonly version: Version;
}

/** The filter that has this expression, or a new one. No two filters of a zone have the same. */
async function chooseFilter(zoneId: string, expression: string, before?: Version): Promise<FilterChoice> {
  try {
    const { result, version } = await client.post('/zones/{zone_id}/filters', {
      zone_id: zoneId,
      body: [{ expression }],
      version: before,
    });
    return { id: result[0]!.id, isNew: true, version };
  } catch (error) {
    const id =
      error instanceof ApiError && error.has(10102) ? await findFilter(zoneId, expression) : undefined;
    if (id === undefined) throw error;
    return { id, isNew: false, version: before };
  }
}

async function findFilter(zoneId: string, expression: string): Promise<string | undefined> {
  const found = await fetchAll<Filter>(`/zones/${zoneId}/filters`);
  return found.find((filter) => filter.expression === expression.trim())?.id;
}

/** The filter first, then the rule. A filter that was made in vain is removed again. */
export async function createRule(zoneId: string, draft: RuleDraft): Promise<void> {
  const filter = await chooseFilter(zoneId, draft.expression);
  const body = [{ ...toContent(draft), filter: { id: filter.id } }];
  await undoFilterOnFailure(zoneId, filter, () =>
    client.post('/zones/{zone_id}/firewall/rules', { zone_id: zoneId, body }),
  );
}

async function undoFilterOnFailure(
  zoneId: string,
  filter: FilterChoice,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (filter.isNew) await removeUnusedFilter(zoneId, filter.id);
    throw error;
  }
}

/** Only if no rule uses it: a refusal means that one does, and that it has to stay. */
async function removeUnusedFilter(zoneId: string, id: string): Promise<void> {
  await client
    .delete('/zones/{zone_id}/filters/{filter_id}', {
      zone_id: zoneId,
      filter_id: id,
      query: { if_unused: true },
    })
    .catch(() => {});
}

/**
 * Replaces a rule that is still as `seen`. Another expression means another filter for this rule alone; the filter that it
 * had stays if other rules use it.
 */
export async function replaceRule(zoneId: string, seen: FirewallRule, draft: RuleDraft): Promise<void> {
  await writeUnlessChanged(
    () => requireUnchanged(zoneId, seen),
    (version) => writeRule(zoneId, seen, { draft, version }),
  );
}

async function writeRule(
  zoneId: string,
  seen: FirewallRule,
  { draft, version }: { readonly draft: RuleDraft; readonly version: Version },
): Promise<void> {
  const isSameFilter = (expressionOf(seen) ?? '') === draft.expression.trim();
  const filter = isSameFilter
    ? { id: seen.filter.id, isNew: false, version }
    : await chooseFilter(zoneId, draft.expression, version);
  const body = {
    ...toContent(draft),
    ...(seen.ref === undefined ? {} : { ref: seen.ref }),
    id: seen.id,
    filter: { id: filter.id },
  };
  await undoFilterOnFailure(zoneId, filter, () =>
    client.put('/zones/{zone_id}/firewall/rules/{rule_id}', {
      zone_id: zoneId,
      rule_id: seen.id,
      body,
      version: filter.version,
    }),
  );
  if (filter.id !== seen.filter.id) await removeUnusedFilter(zoneId, seen.filter.id);
}

export function pauseRule(zoneId: string, seen: FirewallRule, paused: boolean): Promise<void> {
  return replaceRule(zoneId, seen, { ...toDraft(seen), paused });
}

export async function deleteRule(zoneId: string, seen: FirewallRule): Promise<void> {
  const query = { delete_filter_if_unused: true };
  await writeUnlessChanged(
    () => requireUnchanged(zoneId, seen),
    (version) =>
      client.delete('/zones/{zone_id}/firewall/rules/{rule_id}', {
        zone_id: zoneId,
        rule_id: seen.id,
        query,
        version,
      }),
  );
}

/** As many priorities as one call can change. */
const prioritiesMax = 100;

/** Moves a rule in the order that the reader sees, which must still be the order that the server has. */
export async function moveRule(
  zoneId: string,
  seen: readonly FirewallRule[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const look = async (): Promise<Version> => {
    const { items, version } = await fetchVersion<FirewallRule>(`/zones/${zoneId}/firewall/rules`);
    if (isSame(items.map(pickRank), seen.map(pickRank))) return version;
    throw new Error(
      'Somebody changed the order in the meantime, so nothing was moved. This is the order now: try again.',
    );
  };
  const priorities = planMove(seen, from, to);
  await writeUnlessChanged(look, async (first) => {
    let version = first;
    for (let start = 0; start < priorities.length; start += prioritiesMax) {
      const body = priorities.slice(start, start + prioritiesMax);
      ({ version } = await client.patch('/zones/{zone_id}/firewall/rules', {
        zone_id: zoneId,
        body,
        version,
      }));
    }
  });
}

function pickRank({ id, priority }: FirewallRule): readonly [string, number | null] {
  return [id, priority];
}

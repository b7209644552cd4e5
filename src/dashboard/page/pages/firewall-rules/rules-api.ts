/** Firewall rules and filters as the API has them, and the calls that change them. */
import { queryOptions } from '@tanstack/react-query';
import { callApi, get } from '../../api/client.ts';
import { ApiError } from '../../api/api-error.ts';
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

export interface Filter {
  readonly id: string;
  readonly expression: string;
  readonly paused: boolean;
  readonly description?: string;
  readonly ref?: string;
}

export interface FirewallRule {
  readonly id: string;
  readonly paused: boolean;
  readonly description?: string;
  readonly action: Action;
  readonly priority: number | null;
  readonly products?: readonly string[];
  readonly filter: Filter | { readonly id: string; readonly deleted: true };
  readonly ref?: string;
  readonly created_on: string;
  readonly modified_on: string;
}

export const products: Readonly<Record<string, string>> = {
  waf: 'Managed rules (legacy)',
  rateLimit: 'Rate limits',
  securityLevel: 'Security level',
  hot: 'Hotlink protection',
  bic: 'Browser integrity check',
  uaBlock: 'User agent blocking',
  zoneLockdown: 'Zone lockdown',
};

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

async function fetchAll<Item>(path: string, signal: AbortSignal): Promise<readonly Item[]> {
  const fetchPage = (page: number) =>
    callApi<readonly Item[]>('GET', path, { query: { per_page: 100, page }, signal });
  const first = await fetchPage(1);
  const { total_pages = 1 } = first.result_info ?? {};
  const others = await Promise.all(
    Array.from({ length: Math.max(0, total_pages - 1) }, (_, index) => fetchPage(index + 2)),
  );
  return [first, ...others].flatMap(({ result }) => result);
}

function fetchRule(zoneId: string, ruleId: string): Promise<FirewallRule> {
  return get<FirewallRule>(`/zones/${zoneId}/firewall/rules/${ruleId}`);
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
async function requireUnchanged(zoneId: string, seen: FirewallRule): Promise<void> {
  const current = await findRule(zoneId, seen.id);
  if (current === undefined || !isSame(current, seen)) throw new ChangedInBetween(current);
}

async function findRule(zoneId: string, ruleId: string): Promise<FirewallRule | undefined> {
  try {
    return await fetchRule(zoneId, ruleId);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What a person fills in about a rule. */
export interface RuleDraft {
  readonly description: string;
  readonly action: Action;
  readonly products: readonly string[];
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

function toContent({ description, action, products, priority, paused }: RuleDraft): object {
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
}

/** The filter that has this expression, or a new one. No two filters of a zone have the same. */
async function chooseFilter(zoneId: string, expression: string): Promise<FilterChoice> {
  const path = `/zones/${zoneId}/filters`;
  try {
    const { result } = await callApi<readonly Filter[]>('POST', path, { body: [{ expression }] });
    return { id: result[0]!.id, isNew: true };
  } catch (error) {
    const id =
      error instanceof ApiError && error.has(10102) ? await findFilter(zoneId, expression) : undefined;
    if (id === undefined) throw error;
    return { id, isNew: false };
  }
}

async function findFilter(zoneId: string, expression: string): Promise<string | undefined> {
  const found = await fetchAll<Filter>(`/zones/${zoneId}/filters`, new AbortController().signal);
  return found.find((filter) => filter.expression === expression.trim())?.id;
}

/** The filter first, then the rule. A filter that was made in vain is removed again. */
export async function createRule(zoneId: string, draft: RuleDraft): Promise<void> {
  const filter = await chooseFilter(zoneId, draft.expression);
  const body = [{ ...toContent(draft), filter: { id: filter.id } }];
  await undoFilterOnFailure(zoneId, filter, () =>
    callApi('POST', `/zones/${zoneId}/firewall/rules`, { body }),
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
  await callApi('DELETE', `/zones/${zoneId}/filters/${id}`, { query: { if_unused: true } }).catch(() => {});
}

/**
 * Replaces a rule that is still as `seen`. Another expression means another filter for this rule alone; the filter that it
 * had stays if other rules use it.
 */
export async function replaceRule(zoneId: string, seen: FirewallRule, draft: RuleDraft): Promise<void> {
  await requireUnchanged(zoneId, seen);
  const isSameFilter = (expressionOf(seen) ?? '') === draft.expression.trim();
  const filter = isSameFilter
    ? { id: seen.filter.id, isNew: false }
    : await chooseFilter(zoneId, draft.expression);
  const body = {
    ...toContent(draft),
    ...(seen.ref === undefined ? {} : { ref: seen.ref }),
    id: seen.id,
    filter: { id: filter.id },
  };
  await undoFilterOnFailure(zoneId, filter, () =>
    callApi('PUT', `/zones/${zoneId}/firewall/rules/${seen.id}`, { body }),
  );
  if (filter.id !== seen.filter.id) await removeUnusedFilter(zoneId, seen.filter.id);
}

export function pauseRule(zoneId: string, seen: FirewallRule, paused: boolean): Promise<void> {
  return replaceRule(zoneId, seen, { ...toDraft(seen), paused });
}

export async function deleteRule(zoneId: string, seen: FirewallRule): Promise<void> {
  await requireUnchanged(zoneId, seen);
  await callApi('DELETE', `/zones/${zoneId}/firewall/rules/${seen.id}`, {
    query: { delete_filter_if_unused: true },
  });
}

/** As many priorities as one call can change. */
const prioritiesMax = 100;

/** Moves a rule in the order that the reader sees, which must still be the order that the server has. */
export async function moveRule(
  zoneId: string,
  seen: readonly FirewallRule[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const path = `/zones/${zoneId}/firewall/rules`;
  const current = await fetchAll<FirewallRule>(path, new AbortController().signal);
  if (!isSame(current.map(pickRank), seen.map(pickRank))) {
    throw new Error(
      'Somebody changed the order in the meantime, so nothing was moved. This is the order now: try again.',
    );
  }
  const priorities = planMove(seen, from, to);
  for (let start = 0; start < priorities.length; start += prioritiesMax) {
    await callApi('PATCH', path, { body: priorities.slice(start, start + prioritiesMax) });
  }
}

function pickRank({ id, priority }: FirewallRule): readonly [string, number | null] {
  return [id, priority];
}

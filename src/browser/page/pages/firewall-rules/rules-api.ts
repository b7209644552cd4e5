/** Firewall rules and filters as the API returns them, and the calls that change them. */
import { ApiError, type Result } from '#client';
import { client, collect } from '../../api/client.ts';
import { isSame, type SeenVersion, writeUnlessChanged } from '../../api/guarded-write.ts';
import { readAll } from '../../api/read.ts';
import { writeIfSame } from '../../parts/forms/save.tsx';
import type { ListedRule, RuleChanges } from '../rules/listed-rule.ts';
import { planMove } from './reorder.ts';

export type Filter = Result<'filters.get'>;
export type FirewallRule = Result<'firewallRules.get'>;
export type Action = FirewallRule['action'];

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

function expressionOf({ filter }: FirewallRule): string | undefined {
  return 'deleted' in filter ? undefined : filter.expression;
}

export function toListed(rule: FirewallRule): ListedRule {
  const { id, description, action, paused, priority, created_on, filter } = rule;
  return {
    id,
    description,
    expression: expressionOf(rule),
    action,
    isPaused: paused,
    since: { word: 'created', at: created_on },
    rank: priority === null ? 'no priority' : `priority ${priority.toLocaleString()}`,
    ...('paused' in filter && filter.paused ? { hindrance: 'filter paused' } : {}),
  };
}

const rulesPath = '/zones/{zone_id}/firewall/rules';
export const rulePath = `${rulesPath}/{rule_id}` as const;
export const filterPath = '/zones/{zone_id}/filters/{filter_id}';
const query = { per_page: 100 };

export function rulesQuery(zone_id: string) {
  return readAll(rulesPath, { zone_id, query });
}

export function filtersQuery(zone_id: string) {
  return readAll('/zones/{zone_id}/filters', { zone_id, query });
}

/** Sends a change of a rule unless the rule differs from what the reader saw. */
function changeRule<Answer>(
  zone_id: string,
  base: FirewallRule,
  write: (version: SeenVersion) => Promise<Answer>,
): Promise<Answer> {
  const read = () => client.get(rulePath, { zone_id, rule_id: base.id });
  return writeIfSame({ read, base, what: 'this rule' }, write);
}

/** The input of a rule's form. */
export interface FirewallRuleDraft {
  readonly description: string;
  readonly action: Action;
  readonly products: readonly Product[];
  readonly priority: string;
  readonly paused: boolean;
  readonly expression: string;
  /** The reason for the change, for its history. */
  readonly reason: string;
}

export function toDraft(rule: FirewallRule | undefined): FirewallRuleDraft {
  return {
    description: rule?.description ?? '',
    action: rule?.action ?? 'block',
    products: rule?.products ?? ['waf'],
    priority: String(rule?.priority ?? ''),
    paused: rule?.paused ?? false,
    expression: (rule && expressionOf(rule)) ?? '',
    reason: '',
  };
}

const labels: Readonly<Record<keyof FirewallRuleDraft, string>> = {
  description: 'Description',
  action: 'Action',
  products: 'Bypassed products',
  priority: 'Priority',
  paused: 'Paused',
  expression: 'Expression',
  reason: 'Reason',
};

/** The parts in which a rule differs from what the reader saw. */
export function listDifferences(
  seen: FirewallRule | undefined,
  theirs: FirewallRule | undefined,
): readonly string[] {
  if (theirs === undefined) return [];
  const [before, after] = [toDraft(seen), toDraft(theirs)];
  const names = Object.keys(labels) as (keyof FirewallRuleDraft)[];
  return names
    .filter((name) => String(before[name]) !== String(after[name]))
    .map(
      (name) =>
        `${labels[name]}: was ${String(before[name]) || '(empty)'}, is now ${String(after[name]) || '(empty)'}`,
    );
}

function toContent({ description, action, products, priority, paused }: FirewallRuleDraft) {
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
  /** It was created for this rule, and is deleted if the rule cannot be saved. */
  readonly isNew: boolean;
  /** The version of the zone that has the filter. */
  readonly version: SeenVersion;
}

/** The filter with this expression, or a new one. No two filters of a zone have the same expression. */
async function chooseFilter(zoneId: string, expression: string, before?: SeenVersion): Promise<FilterChoice> {
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

async function findFilter(zone_id: string, expression: string): Promise<string | undefined> {
  const found = await collect(client.list('/zones/{zone_id}/filters', { zone_id, query }));
  return found.find((filter) => filter.expression === expression.trim())?.id;
}

/** Creates the filter first, then the rule. If the latter fails, the new filter is deleted again. */
export async function createRule(zoneId: string, draft: FirewallRuleDraft): Promise<void> {
  const filter = await chooseFilter(zoneId, draft.expression);
  const body = [{ ...toContent(draft), filter: { id: filter.id } }];
  await undoFilterOnFailure(zoneId, filter, () =>
    client.post('/zones/{zone_id}/firewall/rules', { zone_id: zoneId, body, reason: draft.reason }),
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

/** Only if no rule uses it: a refusal means that one does, and that it must be kept. */
async function removeUnusedFilter(zone_id: string, filter_id: string): Promise<void> {
  await client.delete(filterPath, { zone_id, filter_id, query: { if_unused: true } }).catch(() => {});
}

/** Another expression means another filter for this rule alone; its old filter is kept if other rules use it. */
export async function writeRule(
  zoneId: string,
  seen: FirewallRule,
  { draft, version }: { readonly draft: FirewallRuleDraft; readonly version: SeenVersion },
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
    client.put(rulePath, {
      zone_id: zoneId,
      rule_id: seen.id,
      body,
      version: filter.version,
      reason: draft.reason,
    }),
  );
  if (filter.id !== seen.filter.id) await removeUnusedFilter(zoneId, seen.filter.id);
}

/** The changes of the list to displayed rules. */
export function createChanges(zone_id: string, rules: readonly FirewallRule[]): RuleChanges {
  const find = (ruleId: string): FirewallRule => rules.find(({ id }) => id === ruleId)!;
  return {
    pause(ruleId, reason) {
      const seen = find(ruleId);
      const draft = { ...toDraft(seen), paused: !seen.paused, reason };
      return changeRule(zone_id, seen, (version) => writeRule(zone_id, seen, { draft, version }));
    },
    remove(ruleId, reason) {
      const input = { zone_id, rule_id: ruleId, query: { delete_filter_if_unused: true }, reason };
      return changeRule(zone_id, find(ruleId), (version) => client.delete(rulePath, { ...input, version }));
    },
    move: (place, reason) => moveRule(zone_id, rules, { ...place, reason }),
  };
}

/** The most priorities that one call can change. */
const prioritiesMax = 100;

/** Moves a rule in the order that the reader sees, which must still be the server's order. */
async function moveRule(
  zoneId: string,
  seen: readonly FirewallRule[],
  { from, to, reason }: { readonly from: number; readonly to: number; readonly reason: string },
): Promise<void> {
  const look = async (): Promise<SeenVersion> => {
    // If the zone still has this version at the write, the data read after it is of the same version.
    const { version } = await client.get(rulesPath, { zone_id: zoneId, query: { per_page: 5 } });
    const items = await collect(client.list(rulesPath, { zone_id: zoneId, query }));
    if (isSame(items.map(pickRank), seen.map(pickRank))) return version;
    throw new Error(
      'Another user changed the order, so nothing was moved. This is the current order: try again.',
    );
  };
  const priorities = planMove(seen, from, to);
  await writeUnlessChanged(look, async (first) => {
    let version = first;
    for (let start = 0; start < priorities.length; start += prioritiesMax) {
      const body = priorities.slice(start, start + prioritiesMax);
      ({ version } = await client.patch(rulesPath, { zone_id: zoneId, body, version, reason }));
    }
  });
}

function pickRank({ id, priority }: FirewallRule): readonly [string, number | null] {
  return [id, priority];
}

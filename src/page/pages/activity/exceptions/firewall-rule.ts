/** Exceptions from a firewall rule: a condition is added to its filter, or the rule is paused. */
import { ApiError, type Result } from '#client';
import { client } from '../../../api/client.ts';
import type { Version } from '../../../api/guarded-write.ts';
import {
  description,
  type Excepted,
  exceptFrom,
  listConditions,
  getIfThere,
  ofRule,
  type Proposal,
  saveIfAsSeen,
} from './proposal.ts';

type FirewallRule = Result<'firewallRules.get'>;

export async function proposeForFirewallRule(excepted: Excepted): Promise<readonly Proposal[]> {
  const { zone, event } = excepted;
  const rules = `/zones/${zone.id}/firewall/rules`;
  const path = `${rules}/${encodeURIComponent(event.ruleId)}`;
  const rule = await getIfThere<FirewallRule>(path);
  if (rule === undefined || 'deleted' in rule.filter) return [];
  const { expression: before } = rule.filter;
  const where = ofRule(event);
  const seen = new Map([[path, rule]]);
  return [
    ...listConditions(excepted).map(({ title, expression }): Proposal => ({
      title: `This rule does not act ${title}`,
      effect: 'A condition is added to the filter of the rule.',
      expression,
      affected: { where, expression },
      save: () =>
        saveIfAsSeen(seen, (version) =>
          changeFilter(zone.id, rule, { expression: exceptFrom(before, expression), version }),
        ),
    })),
    {
      title: 'This rule does not act at all',
      effect: 'The rule is paused.',
      affected: { where },
      save: () =>
        saveIfAsSeen(seen, (version) =>
          client.ask('PUT', path, { body: { ...rule, paused: true }, version }),
        ),
    },
  ];
}

const createdInline = 10106;

interface FilterChange {
  readonly expression: string;
  readonly version: Version;
}

/** A filter that other rules use as well stays as it is, and so does one that belongs to its rule: the rule gets its own. */
async function changeFilter(zoneId: string, rule: FirewallRule, change: FilterChange): Promise<void> {
  const { expression, version } = change;
  if (await isShared(zoneId, rule)) return replaceFilter(zoneId, rule, change);
  const path = `/zones/${zoneId}/filters/${rule.filter.id}`;
  try {
    await client.ask('PUT', path, { body: { ...rule.filter, expression }, version });
  } catch (error) {
    if (!(error instanceof ApiError && error.has(createdInline))) throw error;
    await replaceFilter(zoneId, rule, change);
    // The exception is saved by now, and an unused filter does nothing.
    await client.ask('DELETE', path).catch(() => undefined);
  }
}

async function replaceFilter(
  zoneId: string,
  rule: FirewallRule,
  { expression, version }: FilterChange,
): Promise<void> {
  const created = await client.post('/zones/{zone_id}/filters', {
    zone_id: zoneId,
    body: [{ expression, description }],
    version,
  });
  const body = { ...rule, filter: { id: created.result[0]!.id } };
  await client.put('/zones/{zone_id}/firewall/rules/{rule_id}', {
    zone_id: zoneId,
    rule_id: rule.id,
    body,
    version: created.version,
  });
}

async function isShared(zoneId: string, { id, filter }: FirewallRule): Promise<boolean> {
  for (let page = 1; ; page++) {
    const { result, result_info } = await client.get('/zones/{zone_id}/firewall/rules', {
      zone_id: zoneId,
      query: { page, per_page: 100 },
    });
    if (result.some((other) => other.id !== id && other.filter.id === filter.id)) return true;
    if (page >= (result_info?.total_pages ?? 1)) return false;
  }
}

/** Exceptions from a firewall rule: a condition is added to its filter, or the rule is paused. */
import { ApiError } from '../../../api/api-error.ts';
import { callApi } from '../../../api/client.ts';
import {
  checkUnchanged,
  description,
  type Excepted,
  exceptFrom,
  listConditions,
  getIfThere,
  ofRule,
  type Proposal,
} from './proposal.ts';

interface FirewallRule {
  readonly id: string;
  readonly paused: boolean;
  readonly filter: { readonly id: string; readonly expression?: string };
}

export async function proposeForFirewallRule(excepted: Excepted): Promise<readonly Proposal[]> {
  const { zone, event } = excepted;
  const rules = `/zones/${zone.id}/firewall/rules`;
  const path = `${rules}/${encodeURIComponent(event.ruleId)}`;
  const rule = await getIfThere<FirewallRule>(path);
  const before = rule?.filter.expression;
  if (rule === undefined || before === undefined) return [];
  const where = ofRule(event);
  return [
    ...listConditions(excepted).map(({ title, expression }): Proposal => ({
      title: `This rule does not act ${title}`,
      effect: 'A condition is added to the filter of the rule.',
      expression,
      affected: { where, expression },
      async save() {
        await checkUnchanged(path, rule);
        await changeFilter(zone.id, rule, exceptFrom(before, expression));
      },
    })),
    {
      title: 'This rule does not act at all',
      effect: 'The rule is paused.',
      affected: { where },
      async save() {
        await checkUnchanged(path, rule);
        await callApi('PUT', path, { body: { ...rule, paused: true } });
      },
    },
  ];
}

const createdInline = 10106;

/** A filter that other rules use as well stays as it is, and so does one that belongs to its rule: the rule gets its own. */
async function changeFilter(zoneId: string, rule: FirewallRule, expression: string): Promise<void> {
  if (await isShared(zoneId, rule)) return replaceFilter(zoneId, rule, expression);
  const path = `/zones/${zoneId}/filters/${rule.filter.id}`;
  try {
    await callApi('PUT', path, { body: { ...rule.filter, expression } });
  } catch (error) {
    if (!(error instanceof ApiError && error.has(createdInline))) throw error;
    await replaceFilter(zoneId, rule, expression);
    // The exception is saved by now, and an unused filter does nothing.
    await callApi('DELETE', path).catch(() => undefined);
  }
}

async function replaceFilter(zoneId: string, rule: FirewallRule, expression: string): Promise<void> {
  const { result } = await callApi<readonly { readonly id: string }[]>('POST', `/zones/${zoneId}/filters`, {
    body: [{ expression, description }],
  });
  const body = { ...rule, filter: { id: result[0]!.id } };
  await callApi('PUT', `/zones/${zoneId}/firewall/rules/${rule.id}`, { body });
}

async function isShared(zoneId: string, { id, filter }: FirewallRule): Promise<boolean> {
  for (let page = 1; ; page++) {
    const { result, result_info } = await callApi<readonly FirewallRule[]>(
      'GET',
      `/zones/${zoneId}/firewall/rules`,
      { query: { page, per_page: 100 } },
    );
    if (result.some((other) => other.id !== id && other.filter.id === filter.id)) return true;
    if (page >= (result_info?.total_pages ?? 1)) return false;
  }
}

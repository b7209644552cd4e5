/** Exceptions from legacy managed rules. Only the Enterprise plan can turn off a rule for some URLs. */
import type { Result } from '#client';
import { client } from '../../../api/client.ts';
import { description, type Excepted, getIfThere, ofRule, type Proposal, saveIfAsSeen } from './proposal.ts';

type LegacyRule = Result<'wafRules.get'>;

export async function proposeForLegacyRule(excepted: Excepted): Promise<readonly Proposal[]> {
  const { zone, event, ruleIds, scopes } = excepted;
  const root = `/zones/${zone.id}/firewall`;
  const paths = ruleIds.map(
    (id) => `${root}/waf/packages/${encodeURIComponent(event.rulesetId)}/rules/${encodeURIComponent(id)}`,
  );
  const rules = await Promise.all(paths.map((path) => getIfThere<LegacyRule>(path)));
  if (rules.includes(undefined)) return [];
  const onPath = scopes[0]!;
  const where = ofRule(event);
  const isOne = ruleIds.length === 1;
  const named = isOne ? 'This rule does' : `The ${ruleIds.length} rules that scored do`;
  const byUrl: Proposal = {
    title: `${named} not act ${onPath.title}`,
    effect:
      'An override turns it off for this URL. A site with such overrides cannot be updated to managed rulesets until they are deleted (10705).',
    expression: onPath.expression,
    affected: { where, expression: onPath.expression },
    async save() {
      const body = {
        urls: listUrls(excepted),
        rules: Object.fromEntries(ruleIds.map((id) => [id, 'disable' as const])),
        description,
      };
      await client.post('/zones/{zone_id}/firewall/waf/overrides', { zone_id: zone.id, body });
    },
  };
  // What an update to managed rulesets carries over comes first.
  return [
    {
      title: `No managed rule acts ${onPath.title}`,
      effect:
        'A firewall rule with the action bypass is added. An update to managed rulesets carries it over.',
      expression: onPath.expression,
      affected: { where: ['source:eq:waf'], expression: onPath.expression },
      async save() {
        const filter = { expression: onPath.expression };
        await client.post('/zones/{zone_id}/firewall/rules', {
          zone_id: zone.id,
          body: [{ filter, action: 'bypass', products: ['waf'], description }],
        });
      },
    },
    ...(zone.plan === 'enterprise' ? [byUrl] : []),
    {
      title: `${named} not act at all`,
      effect: isOne ? 'The rule is turned off.' : 'The rules are turned off.',
      affected: { where },
      async save() {
        const seen = new Map(paths.map((path, index) => [path, rules[index]!]));
        await saveIfAsSeen(seen, async (first) => {
          let version = first;
          for (const [path, { allowed_modes }] of seen) {
            const body = { mode: allowed_modes.includes('disable') ? 'disable' : 'off' };
            ({ version } = await client.ask('PATCH', path, { body, version }));
          }
        });
      },
    },
  ];
}

/** With and without a query. A star stands for any text, so a path that has one is cut before it. */
function listUrls({ host, path }: Excepted): readonly string[] {
  const star = path.indexOf('*');
  if (star >= 0 || path.length > 900) return [`${host}${path.slice(0, star >= 0 ? star : 900)}*`];
  return [`${host}${path}`, `${host}${path}?*`];
}

/** The package of scores of the legacy WAF: the rules of the OWASP Core Rule Set under their own numbers, in groups. */
import type { ScoringEngine } from '#firewall';
import { deriveId } from '../rule-id.ts';
import { knownGroupIds, scoreGroupDescriptions, type ScoreGroupName } from '../rule-groups.ts';
import type { LegacyGroup, LegacyPackage, LegacyRule } from './package.ts';

export const scoresId = 'c504870194831cd12c3fc0284f294abb';

/** The first entry whose tag a rule has. */
const groupsByTag: readonly (readonly [tag: RegExp, group: ScoreGroupName])[] = [
  [/^attack-sqli$/, 'OWASP SQL Injection Attacks'],
  [/^attack-xss$/, 'OWASP XSS Attacks'],
  [/^attack-reputation-/, 'OWASP Bad Robots'],
  [/^attack-(?:protocol|multipart-header)$/, 'OWASP Protocol Violations'],
];

/** Rules about what a site permits, by their number: CRS tags them like others. */
const policyNumbers: readonly (readonly [first: number, last: number])[] = [
  [911_000, 911_999],
  [920_420, 920_450],
];

export function getScoreGroupId(number: number, tags: readonly string[]): string {
  if (policyNumbers.some(([first, last]) => number >= first && number <= last))
    return idOf('OWASP HTTP Policy');
  const found = groupsByTag.find(([tag]) => tags.some((each) => tag.test(each)));
  return idOf(found?.[1] ?? 'OWASP Generic Attacks');
}

function idOf(name: ScoreGroupName): string {
  return knownGroupIds[name] ?? deriveId(scoresId, name);
}

/** Groups exist whether or not they have rules: zones may have switched them off. */
export function createScorePackage(rules: readonly LegacyRule[], engine?: ScoringEngine): LegacyPackage {
  const ruleIds = Map.groupBy(rules, ({ groupId }) => groupId);
  const names = Object.keys(scoreGroupDescriptions) as ScoreGroupName[];
  return {
    id: scoresId,
    name: 'OWASP',
    description: 'Signs of an attack, each worth a score.',
    detectionMode: 'anomaly',
    groups: names.map((name): LegacyGroup => {
      const id = idOf(name);
      return {
        id,
        name,
        description: scoreGroupDescriptions[name],
        packageId: scoresId,
        defaultMode: 'on',
        ruleIds: (ruleIds.get(id) ?? []).map((rule) => rule.id),
      };
    }),
    rules,
    ...(engine === undefined ? {} : { engine }),
  };
}

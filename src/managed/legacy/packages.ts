/**
 * The packages of the legacy WAF: signatures, scores, and the one for rules made for a single customer, which is empty. The
 * signatures are those of the ruleset that replaces the package, under the ids of the legacy WAF, so that a zone has the
 * same rules before and after its migration.
 */
import { deriveId } from '../rule-id.ts';
import { getManagedRuleId } from '../rulesets/managed.ts';
import { scoringRules } from '../scoring/all.ts';
import { scores } from '../scoring/scoring-rule.ts';
import { signatures } from '../signatures/all.ts';
import type { Signature } from '../signatures/signature.ts';
import {
  groupDescriptions,
  type GroupName,
  knownGroupIds,
  scoreGroupDescriptions,
  type ScoreGroupName,
} from '../rule-groups.ts';
import type { LegacyGroup, LegacyPackage, LegacyRule } from './package.ts';

const signaturesId = '1e334934fd7ae32ad705667f8c1057aa';
const scoresId = 'c504870194831cd12c3fc0284f294abb';
const userId = '059f5a550fffae09cbb4072edf101bd2';

const ignoringSwitch: ReadonlySet<string> = new Set(['WP0025B', '100043A', '100030']);

function getGroupId(packageId: string, name: GroupName | ScoreGroupName): string {
  return knownGroupIds[name] ?? deriveId(packageId, name);
}

function getDefaultMode({
  action,
  enabled = true,
}: Signature): 'disable' | 'simulate' | 'block' | 'challenge' {
  if (!enabled) return 'disable';
  if (action === undefined) return 'block';
  return action === 'log' ? 'simulate' : 'challenge';
}

const signatureRules: readonly LegacyRule[] = signatures.map((signature, index) => ({
  id: signature.legacyId,
  description: signature.description,
  priority: String(index + 1),
  packageId: signaturesId,
  groupId: getGroupId(signaturesId, signature.group ?? 'Cloudflare Specials'),
  expression: signature.expression,
  ignoresSwitch: ignoringSwitch.has(signature.legacyId),
  kind: 'deny',
  defaultMode: getDefaultMode(signature),
}));

const scoreRules: readonly LegacyRule[] = scoringRules.flatMap(
  ({ legacy, description, severity, expression }, index) =>
    legacy === undefined
      ? []
      : {
          id: legacy.id,
          description,
          priority: String(index + 1),
          packageId: scoresId,
          groupId: getGroupId(scoresId, legacy.group),
          expression,
          ignoresSwitch: false,
          kind: 'anomaly',
          defaultMode: 'on',
          score: scores[severity],
        },
);

/** All groups are on, because the ruleset that replaces a package also runs all of its rules. */
function createGroups(
  packageId: string,
  descriptions: Readonly<Partial<Record<GroupName | ScoreGroupName, string>>>,
  rules: readonly LegacyRule[],
): readonly LegacyGroup[] {
  const ruleIds = Map.groupBy(rules, (rule) => rule.groupId);
  return (Object.entries(descriptions) as [GroupName | ScoreGroupName, string][]).map(
    ([name, description]) => {
      const id = getGroupId(packageId, name);
      const ids = (ruleIds.get(id) ?? []).map((rule) => rule.id);
      return { id, name, description, packageId, defaultMode: 'on', ruleIds: ids };
    },
  );
}

export const legacyPackages: readonly LegacyPackage[] = [
  {
    id: signaturesId,
    name: 'CloudFlare',
    description: 'Signatures of attacks and of holes in common software.',
    detectionMode: 'traditional',
    groups: createGroups(signaturesId, groupDescriptions, signatureRules),
    rules: signatureRules,
  },
  {
    id: scoresId,
    name: 'OWASP',
    description: 'Signs of an attack, each worth a score.',
    detectionMode: 'anomaly',
    groups: createGroups(scoresId, scoreGroupDescriptions, scoreRules),
    rules: scoreRules,
  },
  {
    id: userId,
    name: 'USER',
    description: 'Rules made at the request of one customer.',
    detectionMode: 'traditional',
    groups: [],
    rules: [],
  },
];

export const legacyGroups: ReadonlyMap<string, LegacyGroup> = new Map(
  legacyPackages.flatMap(({ groups }) => groups.map((group) => [group.id, group] as const)),
);

/** No two packages share the id of a rule. */
export const legacyRules: ReadonlyMap<string, LegacyRule> = new Map(
  legacyPackages.flatMap(({ rules }) => rules.map((rule) => [rule.id, rule] as const)),
);

const replacements: ReadonlyMap<string, string> = new Map(
  signatures.map((signature) => [signature.legacyId, getManagedRuleId(signature)]),
);
const replaced: ReadonlyMap<string, string> = new Map(
  [...replacements].map(([legacyId, ruleId]) => [ruleId, legacyId]),
);

/** The rule of the managed ruleset that replaces a rule of the package of signatures; scoring rules have none. */
export function findReplacement(legacyRuleId: string): string | undefined {
  return replacements.get(legacyRuleId);
}

/** The rule of the package of signatures that a managed rule replaces. */
export function findReplaced(managedRuleId: string): string | undefined {
  return replaced.get(managedRuleId);
}

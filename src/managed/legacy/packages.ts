/**
 * The packages of the previous product: signatures, scores, and the one for rules made for a single customer, which holds
 * none. The signatures are those of the ruleset that replaces the package, under the ids that the previous product gave
 * them, so a zone that migrates is protected by the same rules before and after.
 */
import { idWithin } from '../rule-id.ts';
import { managedRuleId } from '../rulesets/managed.ts';
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
import type { PreviousGroup, PreviousPackage, PreviousRule } from './package.ts';

const signaturesId = '1e334934fd7ae32ad705667f8c1057aa';
const scoresId = 'c504870194831cd12c3fc0284f294abb';
const userId = '059f5a550fffae09cbb4072edf101bd2';

const ignoringSwitch: ReadonlySet<string> = new Set(['WP0025B', '100043A', '100030']);

function groupId(packageId: string, name: GroupName | ScoreGroupName): string {
  return knownGroupIds[name] ?? idWithin(packageId, name);
}

function defaultModeOf({
  action,
  enabled = true,
}: Signature): 'disable' | 'simulate' | 'block' | 'challenge' {
  if (!enabled) return 'disable';
  if (action === undefined) return 'block';
  return action === 'log' ? 'simulate' : 'challenge';
}

const signatureRules: readonly PreviousRule[] = signatures.map((signature, index) => ({
  id: signature.legacyId,
  description: signature.description,
  priority: String(index + 1),
  packageId: signaturesId,
  groupId: groupId(signaturesId, signature.group ?? 'Cloudflare Specials'),
  expression: signature.expression,
  ignoresSwitch: ignoringSwitch.has(signature.legacyId),
  kind: 'deny',
  defaultMode: defaultModeOf(signature),
}));

const scoreRules: readonly PreviousRule[] = scoringRules.flatMap(
  ({ previous, description, severity, expression }, index) =>
    previous === undefined
      ? []
      : {
          id: previous.id,
          description,
          priority: String(index + 1),
          packageId: scoresId,
          groupId: groupId(scoresId, previous.group),
          expression,
          ignoresSwitch: false,
          kind: 'anomaly',
          defaultMode: 'on',
          score: scores[severity],
        },
);

/** All groups are on: the ruleset that replaces a package runs all of its rules, too. */
function groupsOf(
  packageId: string,
  descriptions: Readonly<Partial<Record<GroupName | ScoreGroupName, string>>>,
  rules: readonly PreviousRule[],
): readonly PreviousGroup[] {
  const ruleIds = Map.groupBy(rules, (rule) => rule.groupId);
  return (Object.entries(descriptions) as [GroupName | ScoreGroupName, string][]).map(
    ([name, description]) => {
      const id = groupId(packageId, name);
      const ids = (ruleIds.get(id) ?? []).map((rule) => rule.id);
      return { id, name, description, packageId, defaultMode: 'on', ruleIds: ids };
    },
  );
}

export const previousPackages: readonly PreviousPackage[] = [
  {
    id: signaturesId,
    name: 'CloudFlare',
    description: 'Signatures of attacks and of holes in common software.',
    detectionMode: 'traditional',
    groups: groupsOf(signaturesId, groupDescriptions, signatureRules),
    rules: signatureRules,
  },
  {
    id: scoresId,
    name: 'OWASP',
    description: 'Signs of an attack, each worth a score.',
    detectionMode: 'anomaly',
    groups: groupsOf(scoresId, scoreGroupDescriptions, scoreRules),
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

export const previousGroups: ReadonlyMap<string, PreviousGroup> = new Map(
  previousPackages.flatMap(({ groups }) => groups.map((group) => [group.id, group] as const)),
);

/** No two packages share an id of a rule. */
export const previousRules: ReadonlyMap<string, PreviousRule> = new Map(
  previousPackages.flatMap(({ rules }) => rules.map((rule) => [rule.id, rule] as const)),
);

const replacements: ReadonlyMap<string, string> = new Map(
  signatures.map((signature) => [signature.legacyId, managedRuleId(signature)]),
);
const replaced: ReadonlyMap<string, string> = new Map(
  [...replacements].map(([previousId, ruleId]) => [ruleId, previousId]),
);

/** The rule of the managed ruleset that takes over from a rule of the package of signatures; scores have none. */
export function replacementOf(previousRuleId: string): string | undefined {
  return replacements.get(previousRuleId);
}

/** The other way round. */
export function replacedBy(managedRuleId: string): string | undefined {
  return replaced.get(managedRuleId);
}

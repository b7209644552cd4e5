/**
 * The packages of the legacy WAF: signatures, scores, and the one for rules made for a single customer, which is empty. The
 * signatures are those of the ruleset that replaces the package, under the ids of the legacy WAF, so that a zone has the
 * same rules before and after its migration.
 */
import { deriveId } from '../rule-id.ts';
import { getManagedRuleId } from '../rulesets/managed.ts';
import { signatures } from '../signatures/all.ts';
import type { Signature } from '../signatures/signature.ts';
import { groupDescriptions, type GroupName, knownGroupIds } from '../rule-groups.ts';
import type { LegacyGroup, LegacyPackage, LegacyRule } from './package.ts';
import { createScorePackage } from './score-package.ts';

const signaturesId = '1e334934fd7ae32ad705667f8c1057aa';
const userId = '059f5a550fffae09cbb4072edf101bd2';

const ignoringSwitch: ReadonlySet<string> = new Set(['WP0025B', '100043A', '100030']);

function getGroupId(name: GroupName): string {
  return knownGroupIds[name] ?? deriveId(signaturesId, name);
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
  groupId: getGroupId(signature.group ?? 'Cloudflare Specials'),
  expression: signature.expression,
  ignoresSwitch: ignoringSwitch.has(signature.legacyId),
  kind: 'deny',
  defaultMode: getDefaultMode(signature),
}));

/** All groups are on, because the ruleset that replaces the package also runs all of its rules. */
function createGroups(): readonly LegacyGroup[] {
  const ruleIds = Map.groupBy(signatureRules, (rule) => rule.groupId);
  return (Object.keys(groupDescriptions) as GroupName[]).map((name) => {
    const id = getGroupId(name);
    const ids = (ruleIds.get(id) ?? []).map((rule) => rule.id);
    const description = groupDescriptions[name];
    return { id, name, description, packageId: signaturesId, defaultMode: 'on', ruleIds: ids };
  });
}

const packages: LegacyPackage[] = [
  {
    id: signaturesId,
    name: 'CloudFlare',
    description: 'Signatures of attacks and of vulnerabilities in common software.',
    detectionMode: 'traditional',
    groups: createGroups(),
    rules: signatureRules,
  },
  createScorePackage([]),
  {
    id: userId,
    name: 'USER',
    description: 'Rules made at the request of one customer.',
    detectionMode: 'traditional',
    groups: [],
    rules: [],
  },
];
const groups = new Map<string, LegacyGroup>();
const rules = new Map<string, LegacyRule>();
for (const each of packages) addContent(each);

/** The package of scores is replaced when another version of its rules is put in force; the others are constant. */
export const legacyPackages: readonly LegacyPackage[] = packages;

export const legacyGroups: ReadonlyMap<string, LegacyGroup> = groups;

/** No two packages share the id of a rule. */
export const legacyRules: ReadonlyMap<string, LegacyRule> = rules;

/** Zones compiled from now on use it. */
export function replacePackage(given: LegacyPackage): void {
  const index = packages.findIndex(({ id }) => id === given.id);
  for (const { id } of packages[index]!.rules) rules.delete(id);
  packages[index] = given;
  addContent(given);
}

function addContent(given: LegacyPackage): void {
  for (const group of given.groups) groups.set(group.id, group);
  for (const rule of given.rules) rules.set(rule.id, rule);
}

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

/** Finds the resource in the path of a request, or throws a fault that it does not exist. */
import { didYouMean } from '#text';
import { hasPhase, phases, type Ruleset, type RulesetRule } from '#rulesets';
import type { ManagedRuleset } from '#managed';
import { Fault, fault, rulesetCodes } from '#contract';
import { listManagedFor } from './managed-rulesets.ts';
import type { RulesetLevel } from './ruleset-level.ts';

/** A ruleset of the level itself, or one of the managed catalogue. */
export type Found = { readonly own: Ruleset } | { readonly managed: ManagedRuleset };

export function findRuleset(level: RulesetLevel, id: string): Found {
  const own = level.store.get(id);
  if (own !== undefined) return { own };
  const managed = listManagedFor(level.plan).find((ruleset) => ruleset.id === id);
  if (managed !== undefined) return { managed };
  throw createNotFound(level, id);
}

/** Returns a ruleset that the level can change. */
export function findOwn(level: RulesetLevel, id: string): Ruleset {
  const found = findRuleset(level, id);
  if ('own' in found) return found.own;
  throw fault(rulesetCodes.rulesetReadOnly, { fill: { ruleset: id } });
}

function createNotFound({ customOfAccount, context }: RulesetLevel, id: string): Fault {
  const isElsewhere = customOfAccount.some((ruleset) => ruleset.id === id);
  const accountId = context.directory.account?.id;
  const where = isElsewhere ? `: it belongs to the account, see /accounts/${accountId}/rulesets/${id}` : '';
  return fault(rulesetCodes.rulesetNotFound, { fill: { ruleset: id, where } });
}

export function findRule(ruleset: Ruleset, id: string): RulesetRule {
  const rule = ruleset.rules.find((each) => each.id === id);
  if (rule !== undefined) return rule;
  throw fault(rulesetCodes.rulesetRuleNotFound, { fill: { rule: id, ruleset: ruleset.id } });
}

export function findVersion({ store }: RulesetLevel, ruleset: Ruleset, version: string): Ruleset {
  if (version === ruleset.version) return ruleset;
  const found = /^[1-9][0-9]{0,9}$/.test(version) ? store.getVersion(ruleset.id, version) : undefined;
  return found ?? throwNoVersion(ruleset.id, version);
}

/** A managed ruleset has one version: the one that came with the program. */
export function findManagedVersion(ruleset: ManagedRuleset, version: string): ManagedRuleset {
  return version === ruleset.version ? ruleset : throwNoVersion(ruleset.id, version);
}

function throwNoVersion(ruleset: string, version: string): never {
  throw fault(rulesetCodes.rulesetVersionNotFound, { fill: { version, ruleset } });
}

export function findEntryPoint(level: RulesetLevel, phase: string): Ruleset {
  checkPhase(level, phase);
  const ruleset = level.store.findEntryPoint(phase);
  if (ruleset !== undefined) return ruleset;
  throw fault(rulesetCodes.entryPointNotFound, { fill: { phase } });
}

export function checkPhase({ name: level }: RulesetLevel, phase: string): void {
  if (hasPhase(level, phase)) return;
  const known = [...phases.keys()].filter((each) => hasPhase(level, each));
  throw fault(rulesetCodes.phaseUnknown, { fill: { level, phase, guess: didYouMean(phase, known) } });
}

/** Rulesets, as far as exceptions change them. */
import type { Result } from '#client';
import { getIfThere } from './proposal.ts';
import type { ExceptedZone } from './proposal.ts';

export type RulesetRule = Ruleset['rules'][number];

export type Ruleset = Result<'rulesets.get'>;

/** A ruleset, and where the API has it. */
export interface FoundRuleset {
  readonly ruleset: Ruleset;
  readonly path: string;
}

/** That of the zone, or that of the account. */
export async function findRuleset(
  { id, accountId }: ExceptedZone,
  tail: string,
  isWanted: (ruleset: Ruleset) => boolean,
): Promise<FoundRuleset | undefined> {
  for (const owner of [`/zones/${id}`, `/accounts/${accountId}`]) {
    const ruleset = await getIfThere<Ruleset>(`${owner}/rulesets/${tail}`);
    if (ruleset !== undefined && isWanted(ruleset))
      return { ruleset, path: `${owner}/rulesets/${ruleset.id}` };
  }
  return undefined;
}

/** What clients may send of a rule: a rule is replaced as a whole. */
export function writeRule(rule: RulesetRule, changes: Partial<RulesetRule>): object {
  const { action, expression, enabled, description, ref, logging, action_parameters } = rule;
  const content = { action, expression, enabled, description, ref, logging, action_parameters, ...changes };
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
}

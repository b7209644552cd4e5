/** Exceptions from a custom rule: a condition is added to its expression, or the rule is turned off. */
import { client } from '../../../api/client.ts';
import {
  type Excepted,
  exceptFrom,
  listConditions,
  ofRule,
  type Proposal,
  saveIfAsSeen,
} from './proposal.ts';
import { findRuleset, writeRule } from './ruleset.ts';

export async function proposeForCustomRule(excepted: Excepted): Promise<readonly Proposal[]> {
  const { zone, event } = excepted;
  const found = await findRuleset(zone, encodeURIComponent(event.rulesetId), () => true);
  const rule = found?.ruleset.rules.find(({ id }) => id === event.ruleId);
  if (found === undefined || rule === undefined) return [];
  const change = (changes: Parameters<typeof writeRule>[1]): Promise<void> =>
    saveIfAsSeen(new Map([[found.path, found.ruleset]]), (version) =>
      client.ask('PATCH', `${found.path}/rules/${rule.id}`, { body: writeRule(rule, changes), version }),
    );
  const where = ofRule(event);
  return [
    ...listConditions(excepted).map(({ title, expression }): Proposal => ({
      title: `This rule does not act ${title}`,
      effect: 'A condition is added to the expression of the rule.',
      expression,
      affected: { where, expression },
      save: () => change({ expression: exceptFrom(rule.expression ?? '', expression) }),
    })),
    {
      title: 'This rule does not act at all',
      effect: 'The rule is turned off.',
      affected: { where },
      save: () => change({ enabled: false }),
    },
  ];
}

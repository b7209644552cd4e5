/** How a managed ruleset is deployed: the rule of the entry point that executes it. */
import type { EntryPoint, EntryRule, StoredRule } from '../../../api/managed/entry-point.ts';
import { owaspRulesetId } from '../../../api/managed/ids.ts';
import {
  chooseFirstOverrides,
  isParanoiaOnly,
  type Overrides,
  readParanoiaLevel,
  tidyOverrides,
} from '../../../api/managed/overrides.ts';
import { countThings } from '../../../parts/reading/count-things.ts';

/** Its editable parts. */
export interface RulesetDeployment {
  readonly expression: string;
  readonly overrides: Overrides;
}

export function findDeployment(entryPoint: EntryPoint | null, rulesetId: string): StoredRule | undefined {
  return entryPoint?.rules.find(
    ({ action, action_parameters }) => action === 'execute' && action_parameters?.id === rulesetId,
  );
}

/** Whether it may stop a request: it is enabled, and at least one of its rules is on and does more than log. */
function protects({ action, enabled, action_parameters }: EntryRule): boolean {
  const { overrides } = action_parameters ?? {};
  return action === 'execute' && enabled && overrides?.enabled !== false && overrides?.action !== 'log';
}

/** Whether no managed ruleset would stop a request any more after this change of a rule. */
export function isLastToProtect(entryPoint: EntryPoint | null, rule: StoredRule, next: EntryRule): boolean {
  const others = entryPoint?.rules.filter(({ id }) => id !== rule.id) ?? [];
  return protects(rule) && !protects(next) && !others.some(protects);
}

export function readDeployment(rule: EntryRule | undefined): RulesetDeployment {
  return { expression: rule?.expression ?? 'true', overrides: rule?.action_parameters?.overrides ?? {} };
}

export function writeDeployment(
  rulesetId: string,
  { expression, overrides }: RulesetDeployment,
  before?: EntryRule,
): EntryRule {
  const tidy = tidyOverrides(overrides);
  return {
    action: 'execute',
    enabled: true,
    ...before,
    expression,
    action_parameters: { id: rulesetId, ...(tidy === undefined ? {} : { overrides: tidy }) },
  };
}

/** The initial rule of a deployment. */
export function createDeployment(rulesetId: string): EntryRule {
  return writeDeployment(rulesetId, {
    expression: 'true',
    overrides: chooseFirstOverrides(rulesetId) ?? {},
  });
}

/** What deploying does besides turning the ruleset on. */
export function describeDeploy(rulesetId: string): string {
  return rulesetId === owaspRulesetId ? 'Starts at paranoia level 1; raise it later.' : '';
}

export function describeDeployment(rulesetId: string, rule: EntryRule): string {
  const { expression, overrides } = readDeployment(rule);
  const parts = [
    expression === 'true' ? 'All requests' : 'Some requests only',
    ...(rulesetId === owaspRulesetId ? describeScore(overrides) : []),
    describeOverrides(overrides),
  ];
  return `${parts.join(', ')}.`;
}

function describeScore(overrides: Overrides): readonly string[] {
  const own = overrides.rules?.find(({ score_threshold }) => score_threshold !== undefined);
  return [
    `paranoia level ${readParanoiaLevel(overrides)}`,
    ...(own === undefined ? [] : [`score threshold ${own.score_threshold}`]),
    ...(own?.action === undefined ? [] : [`action ${own.action.replaceAll('_', ' ')}`]),
  ];
}

/** Without those that the score already covers. */
function describeOverrides({ action, enabled, categories = [], rules = [] }: Overrides): string {
  const count =
    (action === undefined && enabled === undefined ? 0 : 1) +
    categories.filter((each) => !isParanoiaOnly(each)).length +
    rules.filter(({ score_threshold }) => score_threshold === undefined).length;
  return count === 0 ? 'no overrides' : countThings(count, 'override');
}

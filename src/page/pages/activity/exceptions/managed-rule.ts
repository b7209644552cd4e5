/** Exceptions from rules of a managed ruleset: a skip rule before it is executed, or an override. */
import { client } from '../../../api/client.ts';
import { description, type Excepted, ofRule, type Proposal, saveIfAsSeen, type Scope } from './proposal.ts';
import { findRuleset, type RulesetRule, writeRule } from './ruleset.ts';

const phase = 'http_request_firewall_managed';

export async function proposeForManagedRule(excepted: Excepted): Promise<readonly Proposal[]> {
  const { zone, event, ruleIds, scopes, parts } = excepted;
  const isExecuted = (rule: RulesetRule): boolean =>
    rule.action === 'execute' && parametersOf(rule).id === event.rulesetId;
  const found = await findRuleset(zone, `phases/${phase}/entrypoint`, ({ rules }) => rules.some(isExecuted));
  if (found === undefined) return [];
  const { path, ruleset } = found;
  const execute = ruleset.rules.find(isExecuted)!;
  const where = ofRule(event);
  const seen = new Map([[path, ruleset]]);
  const skip = ({ expression }: Scope, parameters: object): Promise<void> => {
    const body = {
      action: 'skip',
      action_parameters: parameters,
      expression,
      description,
      logging: { enabled: true },
      position: { before: execute.id },
    };
    return saveIfAsSeen(seen, (version) => client.ask('POST', `${path}/rules`, { body, version }));
  };
  const rules = ruleIds.length === 1 ? 'This rule does' : `The ${ruleIds.length} rules that scored do`;
  const [onPath] = scopes;
  const named = parts.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  const byArgument: Proposal = {
    title: `${rules} not look at ${named} ${onPath!.title}`,
    effect: 'A skip rule for this part of these requests is added before the ruleset. The rest is judged.',
    expression: onPath!.expression,
    affected: { where, expression: onPath!.expression },
    save: () => skip(onPath!, { rules: { [event.rulesetId]: ruleIds }, arguments: parts }),
  };
  return [
    ...(parts.length === 0 ? [] : [byArgument]),
    ...scopes.map((scope): Proposal => ({
      title: `${rules} not act ${scope.title}`,
      effect: 'A skip rule for these requests is added before the ruleset.',
      expression: scope.expression,
      affected: { where, expression: scope.expression },
      save: () => skip(scope, { rules: { [event.rulesetId]: ruleIds } }),
    })),
    {
      title: `No rule of this ruleset acts ${onPath!.title}`,
      effect: 'A skip rule for these requests is added before the ruleset.',
      expression: onPath!.expression,
      affected: { where: [`rulesetId:eq:${event.rulesetId}`], expression: onPath!.expression },
      save: () => skip(onPath!, { rulesets: [event.rulesetId] }),
    },
    {
      title: `${rules} not act at all`,
      effect: 'An override turns it off where the ruleset is executed.',
      affected: { where },
      save() {
        const body = override(execute, ruleIds);
        return saveIfAsSeen(seen, (version) =>
          client.ask('PATCH', `${path}/rules/${execute.id}`, { body, version }),
        );
      },
    },
  ];
}

/** Of a rule that executes a ruleset. */
interface ExecuteParameters {
  readonly id?: string;
  readonly overrides?: { readonly rules?: readonly { readonly id: string }[] };
}

function parametersOf({ action_parameters }: RulesetRule): ExecuteParameters {
  return action_parameters ?? {};
}

function override(execute: RulesetRule, ruleIds: readonly string[]): object {
  const parameters = parametersOf(execute);
  const { overrides: before = {} } = parameters;
  const kept = (before.rules ?? []).filter(({ id }) => !ruleIds.includes(id));
  const rules = [...kept, ...ruleIds.map((id) => ({ id, enabled: false }))];
  return writeRule(execute, {
    action_parameters: { ...parameters, overrides: { ...before, rules } },
  });
}

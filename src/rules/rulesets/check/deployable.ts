/** Looks up the ruleset that a rule names. */
import type { Home } from '../model.ts';
import type { BodyField } from '../problem.ts';
import type { DeployableRuleset, RulesetContext } from './context.ts';

export interface Deployable {
  readonly id: string;
  readonly ruleset: DeployableRuleset;
}

/** The managed phase runs managed rulesets, the custom phase of an account its custom ones. */
export function readDeployable(
  field: BodyField<string>,
  home: Home,
  context: RulesetContext,
): Deployable | undefined {
  const id = field.read();
  return id === undefined ? undefined : findDeployable(id, field, home, context);
}

export function findDeployable(
  id: string,
  field: BodyField<unknown>,
  { phase }: Home,
  context: RulesetContext,
): Deployable | undefined {
  const isManaged = phase === 'http_request_firewall_managed';
  const ruleset = isManaged ? context.managed(id) : context.custom(id);
  if (ruleset === undefined) {
    return field.refuse('notFound', `there is no ${isManaged ? 'managed' : 'custom'} ruleset with this id`);
  }
  if (ruleset.phase !== phase) {
    return field.refuse('notAvailable', `the ruleset belongs to the phase ${ruleset.phase}`);
  }
  return { id, ruleset };
}

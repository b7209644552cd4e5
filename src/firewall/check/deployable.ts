/** The ruleset that a rule names. */
import { idCharactersMax } from '../limits.ts';
import type { Home } from '../model.ts';
import type { DeployableRuleset, RulesetContext } from './context.ts';
import type { Place } from './place.ts';

export interface Deployable {
  readonly id: string;
  readonly ruleset: DeployableRuleset;
}

/** The managed phase runs managed rulesets, the custom phase of an account its custom ones. */
export function readDeployable(place: Place, home: Home, context: RulesetContext): Deployable | undefined {
  const id = place.text({ charactersMin: 1, charactersMax: idCharactersMax });
  return id === undefined ? undefined : findDeployable(id, place, home, context);
}

export function findDeployable(
  id: string,
  place: Place,
  { phase }: Home,
  context: RulesetContext,
): Deployable | undefined {
  const isManaged = phase === 'http_request_firewall_managed';
  const ruleset = isManaged ? context.managed(id) : context.custom(id);
  if (ruleset === undefined) {
    return place.refuse('not_found', `there is no ${isManaged ? 'managed' : 'custom'} ruleset with this id`);
  }
  if (ruleset.phase !== phase) {
    return place.refuse('not_available', `the ruleset belongs to the phase ${ruleset.phase}`);
  }
  return { id, ruleset };
}

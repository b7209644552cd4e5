/** The permitted actions in a ruleset, by its phase and kind. */
import { type RuleAction, ruleActions, verdictActions } from '../actions.ts';
import type { Home } from '../model.ts';
import { changedBy, type ChangingPhase, isChangingPhase, isEvaluatedPhase } from '../phases.ts';
import { includesPlan, notEntitled } from '../plans/plans.ts';
import type { BodyField } from '../problem.ts';
import type { RulesetContext } from './context.ts';

export function checkAction(
  field: BodyField<RuleAction>,
  home: Home,
  { plan }: RulesetContext,
): RuleAction | undefined {
  const action = field.isThere() ? field.read() : undefined;
  if (action === undefined) return undefined;
  if (home.phase === 'http_request_sbfm')
    return field.refuse(
      'notAvailable',
      'there is no Super Bot Fight Mode here: use custom rules and rate limits',
    );
  const allowed = actionsOf(home);
  if (allowed.length === 0) {
    return field.refuse('notAvailable', `rules of the phase ${home.phase} belong to zones, not to accounts`);
  }
  if (!allowed.includes(action)) {
    const where = `rulesets of the kind ${home.kind} in the phase ${home.phase}`;
    return field.refuse('notAvailable', `${where} have only the actions ${allowed.join(', ')}`);
  }
  // Overrides may set it on any plan; this is a rule without another purpose.
  if (
    action === 'log' &&
    home.phase !== 'http_request_firewall_managed' &&
    isEvaluatedPhase(home.phase) &&
    !includesPlan(plan, 'enterprise')
  ) {
    return field.refuse('notEntitled', notEntitled('the action log', { plan, needed: 'enterprise' }));
  }
  return action;
}

const changingActions: Readonly<Record<ChangingPhase, readonly RuleAction[]>> = {
  http_request_dynamic_redirect: ['redirect'],
  http_request_transform: ['rewrite'],
  http_config_settings: ['set_config'],
  http_request_origin: ['route'],
  gatehouse_ask: ['ask', 'forward_auth'],
  http_request_redirect: ['redirect'],
  http_request_late_transform: ['rewrite'],
  http_custom_errors: ['serve_error'],
  http_response_headers_transform: ['rewrite'],
};

/** In a phase that is not evaluated, any known action is permitted. */
function actionsOf(home: Home): readonly RuleAction[] {
  if (home.phase === 'http_request_firewall_managed') return ['execute', 'skip'];
  if (home.phase === 'http_ratelimit') return home.kind === 'root' ? ['execute'] : verdictActions;
  if (isChangingPhase(home.phase))
    return home.kind === changedBy(home.phase) ? changingActions[home.phase] : [];
  if (!isCustomPhase(home)) return ruleActions;
  switch (home.kind) {
    case 'zone':
      return [...verdictActions, 'skip'];
    case 'root':
      return ['execute', 'skip'];
    default:
      // `rewrite` adds a header to requests with exposed credentials.
      return [...verdictActions, 'skip', 'rewrite'];
  }
}

function isCustomPhase({ phase }: Home): boolean {
  return phase === 'http_request_firewall_custom';
}

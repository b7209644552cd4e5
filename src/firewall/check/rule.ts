/** One rule, as a client wrote it: everything about it that does not depend on the rules beside it. */
import { descriptionCharactersMax, idCharactersMax, refCharactersMax } from '../limits.ts';
import {
  type ExposedCredentialCheck,
  type Home,
  type Logging,
  type OpaqueObject,
  type RuleAction,
  type RuleDraft,
  ruleFields,
} from '../model.ts';
import { isEvaluatedPhase } from '../phases.ts';
import { checkAction } from './actions.ts';
import { checkBlock } from './block.ts';
import type { RulesetContext } from './context.ts';
import { checkExecute } from './execute.ts';
import { checkOpaque } from './opaque.ts';
import { isObject, type Place } from './place.ts';
import { checkCredentialExpressions, checkRuleExpression } from './rule-expression.ts';
import { checkSkip } from './skip.ts';

/** Given back by clients that send what they were given; nobody can set them. */
const readOnlyFields = ['version', 'last_updated', 'categories', 'score_threshold'];

/** A rule that is added or edited by itself may say where it shall stand; that is not checked here. */
export function checkRule(
  place: Place,
  home: Home,
  { context, hasPosition }: { context: RulesetContext; hasPosition: boolean },
): RuleDraft | undefined {
  const problemsBefore = place.problems.count;
  const known = [...ruleFields, ...readOnlyFields, 'id', ...(hasPosition ? ['position'] : [])];
  if (!isObject(place.value)) return place.refuse('wrong_type', 'a rule must be an object');
  place.isObjectOf(known);
  const id = place.at('id').optionalText({ charactersMax: idCharactersMax });
  const ref = place.at('ref').optionalText({ charactersMax: refCharactersMax });
  const action = readAction(place, home, context);
  const expression = checkRuleExpression(place.at('expression'), home, { action, context });
  const parameters = action && checkParameters(place.at('action_parameters'), action, { home, context });
  const ratelimit = checkRateLimit(place.at('ratelimit'), home);
  const credentialCheck = checkCredentialCheck(place.at('exposed_credential_check'), home, action);
  const description = place.at('description').optionalText({ charactersMax: descriptionCharactersMax });
  const enabled = place.at('enabled').flag() ?? true;
  const logging = action && checkLogging(place.at('logging'), action);
  if (place.problems.count > problemsBefore || action === undefined || expression === undefined) {
    return undefined;
  }
  return {
    ...(id === undefined ? {} : { id }),
    ...(ref === undefined ? {} : { ref }),
    action,
    expression,
    ...(parameters === undefined ? {} : { action_parameters: parameters }),
    ...(ratelimit === undefined ? {} : { ratelimit }),
    ...(credentialCheck === undefined ? {} : { exposed_credential_check: credentialCheck }),
    ...(description === undefined ? {} : { description }),
    enabled,
    ...(logging === undefined ? {} : { logging }),
  };
}

/** Whether an edit says anything about the rule itself, and not only where it stands. */
export function definesRule(place: Place): boolean {
  return ruleFields.some((field) => !place.at(field).isAbsent);
}

function readAction(place: Place, home: Home, context: RulesetContext): RuleAction | undefined {
  const actionPlace = place.at('action');
  if (actionPlace.isAbsent && !place.at('action_parameters').isAbsent) {
    const message = 'action is required for action parameters';
    place.problems.add('missing_field', message, actionPlace.pointer);
    return undefined;
  }
  return checkAction(actionPlace, home, context);
}

function checkParameters(
  place: Place,
  action: RuleAction,
  { home, context }: { home: Home; context: RulesetContext },
): OpaqueObject | undefined {
  if (!isEvaluatedPhase(home.phase) || action === 'rewrite') return checkOpaque(place);
  switch (action) {
    case 'execute':
      return checkExecute(place, home, context);
    case 'skip':
      return checkSkip(place, home, context);
    case 'block':
      return checkBlock(place);
    default:
      if (place.keys()?.length) place.refuse('not_available', `the action ${action} has no parameters`);
      return undefined;
  }
}

/** Skipping is logged unless the rule says otherwise; other actions always are, and cannot say. */
function checkLogging(place: Place, action: RuleAction): Logging | undefined {
  if (action !== 'skip') {
    if (!place.isAbsent) {
      place.refuse(
        'logging_not_allowed',
        `logging options are only allowed with the action skip, not with ${action}`,
      );
    }
    return undefined;
  }
  if (place.isAbsent) return { enabled: true };
  if (!place.isObjectOf(['enabled'])) return undefined;
  return { enabled: place.at('enabled').flag() ?? true };
}

function checkRateLimit(place: Place, { phase }: Home): OpaqueObject | undefined {
  if (place.isAbsent || phase === 'http_ratelimit') return checkOpaque(place);
  return place.refuse('not_available', 'only the phase http_ratelimit has it');
}

function checkCredentialCheck(
  place: Place,
  { kind, phase }: Home,
  action: RuleAction | undefined,
): ExposedCredentialCheck | undefined {
  const isHome = kind === 'custom' && phase === 'http_request_firewall_custom';
  if (place.isAbsent) {
    if (isHome && action === 'rewrite') {
      place.refuse('missing_field', 'the action rewrite needs it in this phase');
    }
    return undefined;
  }
  if (!isHome) return place.refuse('not_available', 'only custom rulesets of the custom phase have it');
  if (action === 'skip' || action === 'managed_challenge') {
    return place.refuse('not_available', `the action ${action} does not work with it`);
  }
  return checkCredentialExpressions(place);
}

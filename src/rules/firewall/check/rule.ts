/** Checks one rule as a client wrote it: everything that does not depend on the other rules. */
import { isObject } from '#base';
import type { Shaped } from '#shapes';
import type { RuleAction } from '../actions.ts';
import type { ruleEdit } from '../bodies.ts';
import {
  type ExposedCredentialCheck,
  type Home,
  type Logging,
  type OpaqueObject,
  type RuleDraft,
  ruleFields,
} from '../model.ts';
import { isChangingPhase, isEvaluatedPhase } from '../phases.ts';
import type { Field } from '../problem.ts';
import { checkAction } from './actions.ts';
import { checkBlock } from './block.ts';
import { checkChange, type ChangeContext } from './changes/check-change.ts';
import type { RulesetContext } from './context.ts';
import { checkExecute } from './execute.ts';
import { checkOpaque } from './opaque.ts';
import { checkRateLimit } from './rate-limit.ts';
import { checkCredentialExpressions, checkRuleExpression } from './rule-expression.ts';
import { checkSkip } from './skip.ts';

/** Has all fields that a rule can have: the phase and level decide which are permitted and required. */
export type RuleField = Field<SentRule>;

type SentRule = Shaped<typeof ruleEdit>;

/** A rule that is added or edited by itself may contain a position; that is not checked here. */
export function checkRule(field: RuleField, home: Home, context: RulesetContext): RuleDraft | undefined {
  const problemsBefore = field.problems.count;
  if (!isObject(field.value)) return field.refuse('wrongType', 'a rule must be an object');
  field.hasOnlyKnownFields();
  const id = field.at('id').read() || undefined;
  const ref = field.at('ref').read() || undefined;
  const action = readAction(field, home, context);
  const expression = checkRuleExpression(field.at('expression'), home, { action, context });
  const parameters =
    action && checkParameters(field.at('action_parameters'), { action, home, context, expression });
  const ratelimit = checkRateLimit(field.at('ratelimit'), home, { action, context });
  const credentialCheck = checkCredentialCheck(field.at('exposed_credential_check'), home, action);
  const description = field.at('description').read() || undefined;
  const enabled = field.at('enabled').read() ?? true;
  const logging = action && checkLogging(field.at('logging'), action);
  if (field.problems.count > problemsBefore || action === undefined || expression === undefined) {
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

/** Whether an edit changes the rule itself, and not only its position. */
export function definesRule(field: RuleField): boolean {
  return ruleFields.some((name) => !field.at(name).isAbsent);
}

function readAction(field: RuleField, home: Home, context: RulesetContext): RuleAction | undefined {
  const actionField = field.at('action');
  if (actionField.isAbsent && !field.at('action_parameters').isAbsent) {
    const message = 'action is required for action parameters';
    field.problems.add('missingField', message, actionField.pointer);
    return undefined;
  }
  return checkAction(actionField, home, context);
}

function checkParameters(
  field: Field<unknown>,
  { action, home, context, expression }: ChangeContext,
): OpaqueObject | undefined {
  if (isChangingPhase(home.phase))
    return checkChange[home.phase](field, { action, home, context, expression });
  if (!isEvaluatedPhase(home.phase) || action === 'rewrite') return checkOpaque(field);
  switch (action) {
    case 'execute':
      return checkExecute(field, home, context);
    case 'skip':
      return checkSkip(field, home, context);
    case 'block':
      return checkBlock(field, home);
    default:
      if (field.keys()?.length) field.refuse('notAvailable', `the action ${action} has no parameters`);
      return undefined;
  }
}

/** Skipping is logged unless the rule turns that off; other actions are always logged, without the option. */
function checkLogging(
  field: Field<NonNullable<SentRule['logging']>>,
  action: RuleAction,
): Logging | undefined {
  if (action !== 'skip') {
    if (!field.isAbsent) {
      field.refuse(
        'loggingNotAllowed',
        `logging options are only allowed with the action skip, not with ${action}`,
      );
    }
    return undefined;
  }
  return { enabled: field.read()?.enabled ?? true };
}

function checkCredentialCheck(
  field: Field<ExposedCredentialCheck>,
  { kind, phase }: Home,
  action: RuleAction | undefined,
): ExposedCredentialCheck | undefined {
  const isHome = kind === 'custom' && phase === 'http_request_firewall_custom';
  if (field.isAbsent) {
    if (isHome && action === 'rewrite') {
      field.refuse('missingField', 'the action rewrite needs it in this phase');
    }
    return undefined;
  }
  if (!isHome) return field.refuse('notAvailable', 'only custom rulesets of the custom phase have it');
  if (action === 'skip' || action === 'managed_challenge') {
    return field.refuse('notAvailable', `the action ${action} does not work with it`);
  }
  return checkCredentialExpressions(field);
}

/** Checks one rule as a client wrote it: everything that does not depend on the other rules. */
import { isObject } from '#base';
import type { Shaped } from '#shapes';
import type { RuleAction } from '../actions.ts';
import { type ruleEdit, blockParameters } from '../bodies.ts';
import {
  type ExposedCredentialCheck,
  type Home,
  type Logging,
  type OpaqueObject,
  type RuleDraft,
  ruleFields,
  type BlockParameters,
} from '../model.ts';
import { isChangingPhase, isEvaluatedPhase } from '../phases.ts';
import type { BodyField } from '../problem.ts';
import { checkAction } from './actions.ts';
import { checkChange, type ChangeContext } from './changes/check-change.ts';
import type { RulesetContext } from './context.ts';
import { checkExecute } from './execute.ts';
import { checkRateLimit } from './rate-limit.ts';
import { checkCredentialExpressions, checkRuleExpression } from './rule-expression.ts';
import { checkSkip } from './skip.ts';
import {
  rateResponseContentBytesMax,
  responseContentBytesMax,
  opaqueParametersBytesMax,
  opaqueParametersDepthMax,
} from '../limits.ts';

/** Has all fields that a rule can have: the phase and level decide which are permitted and required. */
export type RuleField = BodyField<SentRule>;

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
  field: BodyField<unknown>,
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
  field: BodyField<NonNullable<SentRule['logging']>>,
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
  field: BodyField<ExposedCredentialCheck>,
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

/** `block`: ends the request, optionally with a custom response. */
function checkBlock(parameters: BodyField<unknown>, { phase }: Home): BlockParameters | undefined {
  const field = parameters.as(blockParameters);
  const block = field.read();
  if (block?.response === undefined) return undefined;
  const bytesMax = phase === 'http_ratelimit' ? rateResponseContentBytesMax : responseContentBytesMax;
  if (Buffer.byteLength(block.response.content ?? '') > bytesMax) {
    const reason = `it is longer than ${bytesMax} bytes`;
    field.at('response').at('content').refuse('outOfRange', reason);
  }
  return block;
}

/** Objects whose meaning is unknown here: any content within limits. */
function checkOpaque(field: BodyField<unknown>): OpaqueObject | undefined {
  const { value } = field;
  if (value === undefined) return undefined;
  if (!isObject(value)) return field.refuse('wrongType', 'it must be an object');
  if (isDeeperThan(opaqueParametersDepthMax, value)) {
    return field.refuse('outOfRange', `it is nested deeper than ${opaqueParametersDepthMax} levels`);
  }
  if (Buffer.byteLength(JSON.stringify(value)) > opaqueParametersBytesMax) {
    return field.refuse('outOfRange', `it is larger than ${opaqueParametersBytesMax} bytes of JSON`);
  }
  return value;
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}

/** Checks the expression of a rule, and the expressions that find credentials. */
import { type Comparison, type Filter, parseValue, printDiagnostic } from '#expressions';
import { checkExpression, type ExpressionFaultKind } from '../expression.ts';
import type { RuleAction } from '../actions.ts';
import type { ExposedCredentialCheck, Home } from '../model.ts';
import { isEvaluatedPhase, phases } from '../phases.ts';
import { planCodes } from '../plans/plans.ts';
import type { BodyField, ProblemName } from '../problem.ts';
import type { RulesetContext } from './context.ts';

const problemNames: Readonly<Record<ExpressionFaultKind, ProblemName>> = {
  blank: 'expressionBlank',
  invalid: 'expressionInvalid',
  'not entitled': 'notEntitled',
};

export function checkRuleExpression(
  field: BodyField<string>,
  home: Home,
  { action, context }: { action: RuleAction | undefined; context: RulesetContext },
): string | undefined {
  const text = field.value ?? '';
  if (typeof text !== 'string') return field.refuse('wrongType', 'it must be a string');
  // Network packets have their own fields, which the language does not define.
  if (phases.get(home.phase)?.traffic === 'network') return checkUnreadable(field, text);
  const checked = checkExpression(text, { ...context, level: home.level, phase: home.phase });
  if (!checked.ok) {
    const { kind, reason } = checked.fault;
    return field.refuse(problemNames[kind], reason);
  }
  const isDeployment = home.kind === 'root' && (action === 'execute' || action === 'skip');
  if (isDeployment && isEvaluatedPhase(home.phase) && !isLimitedToEnterprise(checked.tree)) {
    const ending = `and cf.zone.plan eq "${planCodes.enterprise}"`;
    return field.refuse('accountExpression', `it must stand in parentheses and end with ${ending}`);
  }
  return text;
}

function checkUnreadable(field: BodyField<string>, text: string): string | undefined {
  if (text.trim() === '') return field.refuse('expressionBlank', 'the expression cannot be blank');
  return field.read();
}

function isLimitedToEnterprise({ root }: Filter): boolean {
  const last = root.kind === 'and' ? root.items.at(-1) : root;
  return last?.kind === 'comparison' && isEnterpriseTest(last);
}

function isEnterpriseTest({ operand, predicate }: Comparison): boolean {
  const isPlan = operand.root.kind === 'field' && operand.root.field.name === 'cf.zone.plan';
  if (!isPlan || predicate.operator !== 'eq' || predicate.value.kind !== 'Bytes') return false;
  return predicate.value.value === planCodes.enterprise;
}

export function checkCredentialExpressions(
  field: BodyField<ExposedCredentialCheck>,
): ExposedCredentialCheck | undefined {
  if (!field.hasOnlyKnownFields()) return undefined;
  const username = checkCredentialExpression(field.at('username_expression'));
  const password = checkCredentialExpression(field.at('password_expression'));
  if (username === undefined || password === undefined) return undefined;
  return { username_expression: username, password_expression: password };
}

function checkCredentialExpression(field: BodyField<string>): string | undefined {
  const text = field.read();
  if (text === undefined) return undefined;
  const parsed = parseValue(text);
  if (parsed.ok) return text;
  return field.refuse('expressionInvalid', printDiagnostic(text, parsed.error).trimEnd());
}

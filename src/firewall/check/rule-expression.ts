/** The expression of a rule, and those that find credentials. */
import { type Comparison, type Filter, parseValue, printDiagnostic } from '#expressions';
import { checkExpression, type ExpressionFaultKind } from '../expression.ts';
import { credentialExpressionCharactersMax, expressionCharactersMax } from '../limits.ts';
import type { ExposedCredentialCheck, Home, RuleAction } from '../model.ts';
import { isEvaluatedPhase, phases } from '../phases.ts';
import { planCodes } from '../plans.ts';
import type { ProblemName } from '../problem.ts';
import type { RulesetContext } from './context.ts';
import type { Place } from './place.ts';

const problemNames: Readonly<Record<ExpressionFaultKind, ProblemName>> = {
  blank: 'expression_blank',
  invalid: 'expression_invalid',
  'not entitled': 'not_entitled',
};

export function checkRuleExpression(
  place: Place,
  home: Home,
  { action, context }: { action: RuleAction | undefined; context: RulesetContext },
): string | undefined {
  const text = place.value ?? '';
  if (typeof text !== 'string') return place.refuse('wrong_type', 'it must be a string');
  // Packets have fields of their own, which the language does not know.
  if (phases.get(home.phase)?.traffic === 'network') return checkUnreadable(place, text);
  const checked = checkExpression(text, { ...context, level: home.level, phase: home.phase });
  if (!checked.ok) {
    const { kind, reason } = checked.fault;
    return place.refuse(problemNames[kind], reason);
  }
  const isDeployment = home.kind === 'root' && (action === 'execute' || action === 'skip');
  if (isDeployment && isEvaluatedPhase(home.phase) && !isLimitedToEnterprise(checked.tree)) {
    const ending = `and cf.zone.plan eq "${planCodes.enterprise}"`;
    return place.refuse('account_expression', `it must stand in parentheses and end with ${ending}`);
  }
  return text;
}

function checkUnreadable(place: Place, text: string): string | undefined {
  if (text.trim() === '') return place.refuse('expression_blank', 'the expression cannot be blank');
  return place.text({ charactersMax: expressionCharactersMax });
}

function isLimitedToEnterprise({ root }: Filter): boolean {
  const last = root.kind === 'and' ? root.items.at(-1) : root;
  return last?.kind === 'comparison' && isEnterpriseTest(last);
}

function isEnterpriseTest({ operand, test }: Comparison): boolean {
  const isPlan = operand.root.kind === 'field' && operand.root.field.name === 'cf.zone.plan';
  if (!isPlan || test.operator !== 'eq' || test.value.kind !== 'Bytes') return false;
  return test.value.value === planCodes.enterprise;
}

export function checkCredentialExpressions(place: Place): ExposedCredentialCheck | undefined {
  if (!place.isObjectOf(['username_expression', 'password_expression'])) return undefined;
  const username = checkCredentialExpression(place.at('username_expression'));
  const password = checkCredentialExpression(place.at('password_expression'));
  if (username === undefined || password === undefined) return undefined;
  return { username_expression: username, password_expression: password };
}

function checkCredentialExpression(place: Place): string | undefined {
  if (!place.isThere()) return undefined;
  const text = place.text({ charactersMin: 1, charactersMax: credentialExpressionCharactersMax });
  if (text === undefined) return undefined;
  const parsed = parseValue(text);
  if (parsed.ok) return text;
  return place.refuse('expression_invalid', printDiagnostic(text, parsed.error).trimEnd());
}

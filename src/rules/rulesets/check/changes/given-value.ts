/** A value that a rule writes: a constant text, or an expression that computes it. */
import {
  bytesType,
  checkPhase,
  formatType,
  parseValue,
  printDiagnostic,
  usesOf,
  type ValueExpression,
} from '#expressions';
import { accountScheme } from '../../expression.ts';
import type { GivenValue, Home } from '../../model.ts';
import { entitlementsOf } from '../../plans/entitlements.ts';
import { includesPlan, notEntitled } from '../../plans/plans.ts';
import type { BodyField } from '../../problem.ts';
import type { RulesetContext } from '../context.ts';

export interface GivenValueContext {
  readonly home: Home;
  readonly context: RulesetContext;
  /** The problem with a text, as the end of a sentence. */
  readonly checkText: (value: string) => string | undefined;
  /** Whether an empty text is a valid value. */
  readonly mayBeEmpty?: boolean;
}

/** Clients send an empty text for the one of the two that they do not use. Returns the text if the value is one. */
export function checkGivenValue(
  field: BodyField<GivenValue>,
  options: GivenValueContext,
): string | undefined {
  if (!field.isThere() || !field.hasOnlyKnownFields()) return undefined;
  const expression = field.at('expression').read() ?? '';
  const valueField = field.at('value');
  const value = valueField.read();
  const hasValue =
    value !== undefined && (value !== '' || (options.mayBeEmpty === true && expression === ''));
  if (hasValue === (expression !== '')) {
    const reason = hasValue ? 'it cannot have both value and expression' : 'it must have value or expression';
    return field.refuse('wrongCombination', reason);
  }
  if (!hasValue) return void checkValueExpression(field.at('expression'), options);
  const problem = options.checkText(value);
  if (problem === undefined) return value;
  return valueField.refuse('invalidTarget', problem);
}

function checkValueExpression(field: BodyField<string>, { home, context }: GivenValueContext): void {
  const text = field.read() ?? '';
  const parsed = parseValue(text, { scheme: accountScheme, lists: context.lists.keys() });
  if (!parsed.ok) return field.refuse('expressionInvalid', printDiagnostic(text, parsed.error).trimEnd());
  const type = typeOf(parsed.tree);
  if (type !== formatType(bytesType))
    return field.refuse('expressionInvalid', `it must give a text, and gives a value of type ${type}`);
  const [misplaced] = checkPhase(parsed.tree, home.phase);
  if (misplaced !== undefined)
    return field.refuse('expressionInvalid', printDiagnostic(text, misplaced).trimEnd());
  if (usesOf(parsed.tree).lists.size > 0)
    return field.refuse(
      'expressionInvalid',
      'lists cannot stand in it: compare with them in the expression of the rule',
    );
  const { plan } = context;
  const missing = entitlementsOf(parsed.tree).find((entitlement) => !includesPlan(plan, entitlement.plan));
  if (missing !== undefined)
    field.refuse('notEntitled', notEntitled(missing.summary, { plan, needed: missing.plan }));
}

function typeOf({ root }: ValueExpression): string {
  return formatType(root.type);
}

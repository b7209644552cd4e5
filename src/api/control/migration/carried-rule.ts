/** Rules of the configuration that a zone migrates to, in the form that `config` shows and the update accepts. */
import { descriptionCharactersMax, type Overrides, type SkipParameters } from '#rulesets';
import type { ErrorEntry } from '#contract';

export interface CarriedRule {
  readonly id: '';
  readonly version: '';
  readonly action: 'skip' | 'execute';
  readonly expression: string;
  readonly description: string;
  readonly ref: '';
  readonly enabled: boolean;
  readonly action_parameters: SkipParameters | { readonly id: string; readonly overrides: Overrides };
}

/** Some settings as rules, and those that have no counterpart. */
export interface Carried {
  readonly rules: readonly CarriedRule[];
  readonly losses: readonly ErrorEntry[];
}

type Content = Pick<CarriedRule, 'expression' | 'description' | 'enabled'>;

/** A skip rule: the rules after it do not see the request. */
export function createSkipRule(content: Content): CarriedRule {
  return createCarriedRule('skip', content, { ruleset: 'current' });
}

export function createExecuteRule(
  content: Pick<Content, 'expression' | 'enabled'>,
  parameters: { readonly id: string; readonly overrides: Overrides },
): CarriedRule {
  return createCarriedRule('execute', { ...content, description: '' }, parameters);
}

function createCarriedRule(
  action: CarriedRule['action'],
  { expression, description, enabled }: Content,
  parameters: CarriedRule['action_parameters'],
): CarriedRule {
  return {
    id: '',
    version: '',
    action,
    expression,
    description: description.slice(0, descriptionCharactersMax),
    ref: '',
    enabled,
    action_parameters: parameters,
  };
}

/** Matches what `expression` matches, except what one of the others matches. */
export function excludeExpressions(expression: string, others: readonly string[]): string {
  if (others.length === 0) return expression;
  return `${parenthesise(expression)} and not (${others.map(parenthesise).join(' or ')})`;
}

/** Adds parentheses, unless the expression of a page pattern has them already. */
function parenthesise(expression: string): string {
  return /^\([^()]*\)$/.test(expression) ? expression : `(${expression})`;
}

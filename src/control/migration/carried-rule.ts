/** Rules of the configuration that a zone migrates to, as `config` shows them and the update takes them. */
import { descriptionCharactersMax, type Overrides, type SkipParameters } from '#firewall';
import type { ErrorEntry } from '#api';

export interface CarriedRule {
  readonly id: '';
  readonly version: '';
  readonly action: 'skip' | 'execute';
  readonly expression: string;
  readonly description: string;
  readonly ref: '';
  readonly enabled: boolean;
  readonly action_parameters: SkipParameters | { readonly id: string; readonly overrides?: Overrides };
}

/** Some settings as rules, and what of them has no counterpart. */
export interface Carried {
  readonly rules: readonly CarriedRule[];
  readonly losses: readonly ErrorEntry[];
}

type Content = Pick<CarriedRule, 'expression' | 'description' | 'enabled'>;

/** An exception: the rules after it do not see the request. */
export function exception(content: Content): CarriedRule {
  return carriedRule('skip', content, { ruleset: 'current' });
}

export function execution(
  content: Pick<Content, 'expression' | 'enabled'>,
  parameters: { readonly id: string; readonly overrides?: Overrides },
): CarriedRule {
  return carriedRule('execute', { ...content, description: '' }, parameters);
}

function carriedRule(
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

/** `expression`, where none of the others is true. */
export function without(expression: string, others: readonly string[]): string {
  if (others.length === 0) return expression;
  return `${grouped(expression)} and not (${others.map(grouped).join(' or ')})`;
}

/** In parentheses; not in a second pair if those of a page pattern are there already. */
function grouped(expression: string): string {
  return /^\([^()]*\)$/.test(expression) ? expression : `(${expression})`;
}

/**
 * Converts page rules that turn the WAF on or off. Of the page rules that match a URL only the strongest applies,
 * whatever it sets. So an exception for a page excludes the requests of stronger rules with other settings, as far as
 * both can match the same URL. Where the WAF is off and some pages turn it on, the rulesets are executed for those
 * pages only.
 */
import { assert } from '#base';
import { expressionCharactersMax } from '#expressions';
import { type PagePattern, pagePatternToExpression, readPagePattern } from '#rulesets';
import { entryOf, type ErrorEntry, migrationLossCodes } from '#contract';
import { readWafSwitch } from '../configuration/zone-configuration.ts';
import type { PageRule } from '../stores/page-rules.ts';
import { type Carried, createSkipRule, excludeExpressions } from './carried-rule.ts';
import { mayOverlap } from './pattern-overlap.ts';

/** The requests for which managed rulesets are executed. */
export interface Execution {
  readonly expression: string;
  readonly enabled: boolean;
}

interface Page {
  readonly rule: PageRule;
  readonly pattern: PagePattern;
  readonly expression: string;
  readonly waf: 'on' | 'off' | 'unset';
}

/** The pages in order of precedence. */
function readPages(active: readonly PageRule[]): Page[] {
  return active.map((rule) => {
    const read = readPagePattern(rule.pattern);
    assert(read.ok, `the pattern of page rule ${rule.id} cannot be read`);
    return {
      rule,
      pattern: read.pattern,
      expression: pagePatternToExpression(rule.pattern),
      waf: readWafSwitch(rule),
    };
  });
}

/** Matches the rule's requests, without those that a stronger rule with another setting matches. */
function buildOwnExpression(page: Page, stronger: readonly Page[]): string {
  const others = stronger.filter(({ waf, pattern }) => waf !== page.waf && mayOverlap(pattern, page.pattern));
  return excludeExpressions(
    page.expression,
    others.map(({ expression }) => expression),
  );
}

/** Creates exceptions for pages that turn the WAF off. `active` are the active page rules, the strongest first. */
export function carryPageRules(active: readonly PageRule[]): Carried {
  const pages = readPages(active);
  const losses: ErrorEntry[] = [];
  const rules = pages.flatMap((page, index) => {
    if (page.waf !== 'off') return [];
    const { id, pattern, actions } = page.rule;
    if (actions.some((action) => action.id === 'disable_security')) {
      losses.push(entryOf(migrationLossCodes.lossDisableSecurity, { fill: { rule: id, pattern } }));
    }
    const description = `Rule migrated from Page Rules: ${pattern}`;
    const expression = buildOwnExpression(page, pages.slice(0, index));
    const { length: characters } = expression;
    if (characters <= expressionCharactersMax)
      return [createSkipRule({ expression, description, enabled: true })];
    const fill = { what: `page rule ${id} (${pattern})`, characters, max: expressionCharactersMax };
    losses.push(entryOf(migrationLossCodes.lossExceptionDisabled, { fill }));
    return [createSkipRule({ expression: page.expression, description, enabled: false })];
  });
  return { rules, losses };
}

/** The expression may exceed the length limit of expressions. */
export function decideExecution(waf: 'on' | 'off', active: readonly PageRule[]): Execution {
  if (waf === 'on') return { expression: 'true', enabled: true };
  const pages = readPages(active);
  const on = pages.flatMap((page, index) =>
    page.waf === 'on' ? [buildOwnExpression(page, pages.slice(0, index))] : [],
  );
  if (on.length === 0) return { expression: 'true', enabled: false };
  return { expression: on.length === 1 ? on[0]! : on.map((each) => `(${each})`).join(' or '), enabled: true };
}

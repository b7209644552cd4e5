/**
 * Page rules that turn the firewall on or off. Of the page rules that match a URL only the strongest counts, whatever it is
 * about; so an exception for a page excludes what stronger rules about something else match, as far as both can match the
 * same URL. Where the firewall is off and some pages turn it on, the rulesets are executed for those pages only.
 */
import { assert } from '#base';
import { expressionCharactersMax } from '#expressions';
import { type PagePattern, pagePatternToExpression, readPagePattern } from '#firewall';
import { entryOf, type ErrorEntry, migrationLossCodes } from '#api';
import { wafOf } from '../configuration/zone-configuration.ts';
import type { PageRule } from '../stores/page-rule-store.ts';
import { type Carried, exception, without } from './carried-rule.ts';
import { mayOverlap } from './pattern-overlap.ts';

/** For which requests managed rulesets are to be executed. */
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

/** In the order of precedence. */
function pagesOf(active: readonly PageRule[]): Page[] {
  return active.map((rule) => {
    const read = readPagePattern(rule.pattern);
    assert(read.ok, `the pattern of page rule ${rule.id} cannot be read`);
    return {
      rule,
      pattern: read.pattern,
      expression: pagePatternToExpression(rule.pattern),
      waf: wafOf(rule),
    };
  });
}

/** The rule's requests, without those that a stronger rule of another opinion has taken. */
function ownExpression(page: Page, stronger: readonly Page[]): string {
  const others = stronger.filter(({ waf, pattern }) => waf !== page.waf && mayOverlap(pattern, page.pattern));
  return without(
    page.expression,
    others.map(({ expression }) => expression),
  );
}

/** Exceptions for the pages without a firewall. The rules are the active ones, the strongest first. */
export function carryPageRules(active: readonly PageRule[]): Carried {
  const pages = pagesOf(active);
  const losses: ErrorEntry[] = [];
  const rules = pages.flatMap((page, index) => {
    if (page.waf !== 'off') return [];
    const { id, pattern, actions } = page.rule;
    if (actions.some((action) => action.id === 'disable_security')) {
      losses.push(entryOf(migrationLossCodes.lossDisableSecurity, { fill: { rule: id, pattern } }));
    }
    const description = `Rule migrated from Page Rules: ${pattern}`;
    const expression = ownExpression(page, pages.slice(0, index));
    const { length: characters } = expression;
    if (characters <= expressionCharactersMax) return [exception({ expression, description, enabled: true })];
    const fill = { what: `page rule ${id} (${pattern})`, characters, max: expressionCharactersMax };
    losses.push(entryOf(migrationLossCodes.lossExceptionDisabled, { fill }));
    return [exception({ expression: page.expression, description, enabled: false })];
  });
  return { rules, losses };
}

/** May be longer than expressions can be. */
export function executionFor(waf: 'on' | 'off', active: readonly PageRule[]): Execution {
  if (waf === 'on') return { expression: 'true', enabled: true };
  const pages = pagesOf(active);
  const on = pages.flatMap((page, index) =>
    page.waf === 'on' ? [ownExpression(page, pages.slice(0, index))] : [],
  );
  if (on.length === 0) return { expression: 'true', enabled: false };
  return { expression: on.length === 1 ? on[0]! : on.map((each) => `(${each})`).join(' or '), enabled: true };
}

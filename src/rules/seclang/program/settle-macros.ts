/**
 * CRS compares with lists that the set-up file defines: `@within %{tx.allowed_methods}`. If such a text is the same for
 * all requests, it replaces the macros, and the cached results for a value (`Text`) include that of the test.
 */
import type { RuleLink, LinkTest, OperatorMacros, Rule } from '../model.ts';
import { SecLangError } from '../problem.ts';
import { type KnownVariables, unlessNotKnown } from './known-variables.ts';

/**
 * A rule whose result depends on the request, with the variables known before and after it: the effect of a link may
 * apply to its next value already.
 */
export function settleMacros(rule: Rule, certain: KnownVariables): Rule {
  if (rule.links.every(({ test }) => test?.macros === undefined)) return rule;
  return { ...rule, links: rule.links.map((link) => settleLink(link, certain)) };
}

function settleLink(link: RuleLink, certain: KnownVariables): RuleLink {
  const { test } = link;
  if (test?.macros === undefined) return link;
  const settled = settleTest(test, test.macros, certain);
  return settled === undefined ? link : { ...link, test: settled };
}

function settleTest(
  test: LinkTest,
  { argument, number, prepare }: OperatorMacros,
  certain: KnownVariables,
): LinkTest | undefined {
  const text = unlessNotKnown(() => argument.expand(certain));
  // A text that contains macros itself would be parsed as a template.
  if (text === undefined || text.includes('%{')) return undefined;
  try {
    return { ...test, operator: prepare(text), number, settledArgument: text };
  } catch (error) {
    // As at run time: an invalid argument is no reason to refuse the other rules.
    if (error instanceof SecLangError) return undefined;
    throw error;
  }
}

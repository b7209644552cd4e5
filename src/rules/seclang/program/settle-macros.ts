/**
 * CRS compares with lists that the set-up file chooses: `@within %{tx.allowed_methods}`. Where such a text is the same for
 * all requests, it is put in place of the macros, and what is known of a value (`Text`) includes the answer of the test.
 */
import type { Link, LinkTest, OperatorMacros, Rule } from '../model.ts';
import { SecLangError } from '../problem.ts';
import { type KnownVariables, unlessNotKnown } from './known-variables.ts';

/**
 * A rule whose outcome depends on the request, with what is certain before and after it: what a link writes may count for
 * its next value already.
 */
export function settleMacros(rule: Rule, certain: KnownVariables): Rule {
  if (rule.links.every(({ test }) => test?.macros === undefined)) return rule;
  return { ...rule, links: rule.links.map((link) => settleLink(link, certain)) };
}

function settleLink(link: Link, certain: KnownVariables): Link {
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
  // A text that has macros of its own would be taken for a template.
  if (text === undefined || text.includes('%{')) return undefined;
  try {
    return { ...test, operator: prepare(text), number, settledArgument: text };
  } catch (error) {
    // As for a request: an argument that makes no sense is no reason to refuse the other rules.
    if (error instanceof SecLangError) return undefined;
    throw error;
  }
}

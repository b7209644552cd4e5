/** Compiling the patterns of rules before they are checked or put in force, in turns: see `preparePatterns`. */
import { type GivenExpression, type PreparedPatterns, preparePatterns } from '#expressions';
import type { AccountPart, ZonePart } from './configuration/configuration-parts.ts';
import { accountScheme } from './expression.ts';
import { compileStepsMax } from './limits.ts';

export interface PrepareRulesOptions {
  readonly pause?: () => Promise<void>;
}

/** For an API call, which may not take more than `compileStepsMax`. Holding the result keeps the patterns ready. */
export function prepareExpressions(
  expressions: Iterable<GivenExpression>,
  options: PrepareRulesOptions = {},
): Promise<PreparedPatterns> {
  return preparePatterns(expressions, { ...options, scheme: accountScheme, stepsMax: compileStepsMax });
}

/** For a zone whose rules are about to be compiled, with the engines that its requests will need. */
export function prepareRules(
  { firewallRules, entryPoints }: Pick<ZonePart, 'firewallRules' | 'entryPoints'>,
  account: Pick<AccountPart, 'customRulesets'>,
  options: PrepareRulesOptions = {},
): Promise<PreparedPatterns> {
  const rules = [
    ...firewallRules,
    ...[...entryPoints, ...account.customRulesets].flatMap((ruleset) => ruleset.rules),
  ];
  const given = rules.map(({ id: name, expression: text }) => ({ name, text }));
  return preparePatterns(given, { ...options, scheme: accountScheme, makesEngines: true });
}

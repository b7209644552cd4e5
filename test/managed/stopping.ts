import { managedRulesets } from '#managed';
import { compileList, parse, printDiagnostic } from '#expressions';
import { type RequestDescription, requestFrom } from '#request';

/** The rules of a ruleset that stop a request at their defaults. */
export function stoppingRules(rulesetId: string): (request: RequestDescription) => readonly string[] {
  const rules = managedRulesets
    .get(rulesetId)!
    .rules.filter(({ enabled, action }) => enabled && action !== 'log');
  const list = compileList(
    rules.map(({ expression = '' }) => {
      const parsed = parse(expression);
      if (!parsed.ok) throw new Error(printDiagnostic(expression, parsed.error));
      return parsed.tree;
    }),
  );
  return (request) =>
    list.matches(requestFrom(request)).map((rule) => rules[rule]!.legacyId ?? rules[rule]!.id);
}

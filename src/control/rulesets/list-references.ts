/** Which rules would be left without a list: its deletion is refused while there is any. */
import { accountScheme } from '#firewall';
import type { DurableObjectStorage } from '#objects';
import { parse, usesOf } from '#rules';
import { RulesetStore } from './ruleset-store.ts';

export interface ListReference {
  readonly rulesetId: string;
  readonly ruleId: string;
}

/** In current versions. The name is without `$`. */
export function listReferences(sql: DurableObjectStorage['sql'], name: string): readonly ListReference[] {
  const rulesets = new RulesetStore(sql).containing(`$${name}`);
  return rulesets.flatMap(({ id: rulesetId, rules }) =>
    rules
      .filter(({ expression }) => namesList(expression, name))
      .map(({ id: ruleId }) => ({ rulesetId, ruleId })),
  );
}

/** `$office` is also the beginning of `$office_vpn`, and may stand in a string. */
function namesList(expression: string, name: string): boolean {
  if (!expression.includes(`$${name}`)) return false;
  const parsed = parse(expression, { scheme: accountScheme });
  return parsed.ok && usesOf(parsed.tree).lists.has(name);
}

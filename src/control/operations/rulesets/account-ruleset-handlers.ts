/** Operations on the rulesets of the account. */
import { type accountRulesetOperations, fault, ok, rulesetCodes } from '#api';
import type { Context, Handlers } from '../../context/handler.ts';
import { entryPointHandlers } from './entry-point-handlers.ts';
import { findManagedVersion, findRuleset } from './find-ruleset.ts';
import { bindHandlers } from './level-handlers.ts';
import { managedJson } from './managed-rulesets.ts';
import { rulesetHandlers } from './ruleset-handlers.ts';
import { accountLevel } from './ruleset-level.ts';
import { versionHandlers } from './version-handlers.ts';

export const accountRulesetHandlers: Handlers<Context, typeof accountRulesetOperations> = {
  ...bindHandlers(
    'accountRulesets',
    { ...rulesetHandlers, ...entryPointHandlers, ...versionHandlers },
    accountLevel,
  ),

  /** Only rules of managed rulesets have tags. */
  'accountRulesets.getVersionByTag'(context, { path }) {
    const id = path['ruleset_id']!;
    const found = findRuleset(accountLevel(context), id);
    if ('own' in found) throw fault(rulesetCodes.rulesetNotManaged, { fill: { ruleset: id } });
    return ok(managedJson(findManagedVersion(found.managed, path['ruleset_version']!), path['rule_tag']));
  },
};

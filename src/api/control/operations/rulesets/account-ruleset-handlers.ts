/** Operations on the rulesets of the account. */
import { fault, ok, rulesetCodes } from '#contract';
import type { Context, Handlers } from '../../context/handler.ts';
import { entryPointHandlers } from './entry-point-handlers.ts';
import { findManagedVersion, findRuleset } from './find-ruleset.ts';
import { bindHandlers } from '../bind-handlers.ts';
import { toManagedJson } from './managed-rulesets.ts';
import { rulesetHandlers } from './ruleset-handlers.ts';
import { createAccountLevel } from './ruleset-level.ts';
import { versionHandlers } from './version-handlers.ts';

export const accountRulesetHandlers: Handlers<Context, 'accountRulesets'> = {
  ...bindHandlers(
    'accountRulesets',
    { ...rulesetHandlers, ...entryPointHandlers, ...versionHandlers },
    createAccountLevel,
  ),

  /** Only rules of managed rulesets have tags. */
  'accountRulesets.getVersionByTag'(context, { path }) {
    const id = path['ruleset_id']!;
    const found = findRuleset(createAccountLevel(context), id);
    if ('own' in found) throw fault(rulesetCodes.rulesetNotManaged, { fill: { ruleset: id } });
    return ok(toManagedJson(findManagedVersion(found.managed, path['ruleset_version']!), path['rule_tag']));
  },
};

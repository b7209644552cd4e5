/** Operations on the versions of rulesets, for zones and for the account. */
import { checkRulesetChange, diffRulesets, restoreRuleset } from '#rulesets';
import { fault, noContent, ok, rulesetCodes } from '#contract';
import { accept, commit, addVanishedMessage, createStamp } from './commit.ts';
import { findManagedVersion, findOwn, findRuleset, findVersion } from './find-ruleset.ts';
import type { LevelHandlers } from './level-handlers.ts';
import { toManagedJson, toManagedSummary } from './managed-rulesets.ts';

export const versionHandlers: Pick<
  LevelHandlers,
  'listVersions' | 'getVersion' | 'deleteVersion' | 'diffVersions' | 'restoreVersion'
> = {
  listVersions(level, { path }) {
    const found = findRuleset(level, path['ruleset_id']!);
    return ok(
      'managed' in found ? [toManagedSummary(found.managed)] : level.store.listVersionSummaries(found.own.id),
    );
  },

  getVersion(level, { path }) {
    const found = findRuleset(level, path['ruleset_id']!);
    const version = path['ruleset_version']!;
    return ok(
      'managed' in found
        ? toManagedJson(findManagedVersion(found.managed, version))
        : findVersion(level, found.own, version),
    );
  },

  deleteVersion(level, { path, query }) {
    const ruleset = findOwn(level, path['ruleset_id']!);
    const version = findVersion(level, ruleset, path['ruleset_version']!);
    if (version.version === ruleset.version) {
      throw fault(rulesetCodes.rulesetVersionCurrent, {
        fill: { version: version.version, ruleset: ruleset.id },
      });
    }
    if (query.dry_run === true) return noContent;
    level.store.removeVersion(version);
    level.context.audit({ resource: 'ruleset_version', id: ruleset.id, before: version, after: undefined });
    return noContent;
  },

  diffVersions(level, { path, query }) {
    const ruleset = findOwn(level, path['ruleset_id']!);
    const from = findVersion(level, ruleset, path['ruleset_version']!);
    const to = findVersion(level, ruleset, query.to || ruleset.version);
    return ok({ from: from.version, to: to.version, ...diffRulesets(from, to) });
  },

  /** The version is checked as if it were sent now, because lists, rulesets and the plan may have changed. */
  restoreVersion(level, { path, query }) {
    const before = findOwn(level, path['ruleset_id']!);
    const earlier = findVersion(level, before, path['ruleset_version']!);
    accept(checkRulesetChange(earlier, before, level.checks));
    const next = restoreRuleset(before, earlier, createStamp(level.context));
    addVanishedMessage(level.context, before, next);
    return commit(level, { before, next, body: 'nothing', isDryRun: query.dry_run });
  },
};

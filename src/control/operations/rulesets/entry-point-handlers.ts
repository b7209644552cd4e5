/** Operations on the entry point ruleset of a phase, at either level. */
import { changeRuleset, checkEntryPointChange, createRuleset, entryPointDraft } from '#firewall';
import { ok } from '#api';
import { accept, commit, sayNameKept, sayNotes, sayVanished, stampOf } from './commit.ts';
import { checkPhase, findEntryPoint, findVersion } from './find-ruleset.ts';
import type { LevelHandlers } from './level-handlers.ts';

export const entryPointHandlers: Pick<
  LevelHandlers,
  'getEntryPoint' | 'updateEntryPoint' | 'listEntryPointVersions' | 'getEntryPointVersion'
> = {
  getEntryPoint(level, { path }) {
    const ruleset = findEntryPoint(level, path['ruleset_phase']!);
    sayNotes(level, ruleset);
    return ok(ruleset);
  },

  updateEntryPoint(level, { path, body, query }) {
    const { name, context, checks, store } = level;
    const phase = path['ruleset_phase']!;
    checkPhase(level, phase);
    const before = store.entryPoint(phase);
    const change = accept(checkEntryPointChange(body, { phase, current: before }, checks));
    const stamp = stampOf(context);
    const next =
      before === undefined
        ? createRuleset(entryPointDraft({ level: name, phase }, change), stamp)
        : changeRuleset(before, change, stamp);
    if (before !== undefined) {
      sayVanished(context, before, next);
      sayNameKept(context, before, change.name);
    }
    return commit(level, { before, next, body: 'ruleset', isDryRun: query.dry_run });
  },

  listEntryPointVersions(level, { path }) {
    const phase = path['ruleset_phase']!;
    checkPhase(level, phase);
    const ruleset = level.store.entryPoint(phase);
    return ok(ruleset === undefined ? [] : level.store.versionSummaries(ruleset.id));
  },

  getEntryPointVersion(level, { path }) {
    const ruleset = findEntryPoint(level, path['ruleset_phase']!);
    return ok(findVersion(level, ruleset, path['ruleset_version']!));
  },
};

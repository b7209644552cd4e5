/** Operations on the entry point ruleset of a phase, for zones and for the account. */
import { changeRuleset, checkEntryPointChange, createRuleset, entryPointDraft } from '#rulesets';
import { ok } from '#contract';
import { accept, commit, addNameKeptMessage, addNotes, addVanishedMessage, createStamp } from './commit.ts';
import { checkPhase, findEntryPoint, findVersion } from './find-ruleset.ts';
import type { LevelHandlers } from './level-handlers.ts';

export const entryPointHandlers: Pick<
  LevelHandlers,
  'getEntryPoint' | 'updateEntryPoint' | 'listEntryPointVersions' | 'getEntryPointVersion'
> = {
  getEntryPoint(level, { path }) {
    const ruleset = findEntryPoint(level, path['ruleset_phase']!);
    addNotes(level, ruleset);
    return ok(ruleset);
  },

  updateEntryPoint(level, { path, body, query }) {
    const { name, context, checks, store } = level;
    const phase = path['ruleset_phase']!;
    checkPhase(level, phase);
    const before = store.findEntryPoint(phase);
    const change = accept(checkEntryPointChange(body, { phase, current: before }, checks));
    const stamp = createStamp(context);
    const next =
      before === undefined
        ? createRuleset(entryPointDraft({ level: name, phase }, change), stamp)
        : changeRuleset(before, change, stamp);
    if (before !== undefined) {
      addVanishedMessage(context, before, next);
      addNameKeptMessage(context, before, change.name);
    }
    return commit(level, { before, next, body: 'ruleset', isDryRun: query.dry_run });
  },

  listEntryPointVersions(level, { path }) {
    const phase = path['ruleset_phase']!;
    checkPhase(level, phase);
    const ruleset = level.store.findEntryPoint(phase);
    return ok(ruleset === undefined ? [] : level.store.listVersionSummaries(ruleset.id));
  },

  getEntryPointVersion(level, { path }) {
    const ruleset = findEntryPoint(level, path['ruleset_phase']!);
    return ok(findVersion(level, ruleset, path['ruleset_version']!));
  },
};

/** Imports the entry points of a bundle. Rules that come from this zone keep their ids; other rules get new ids. */
import { isDeepStrictEqual } from 'node:util';
import { bundleCodes, entryOf, fault } from '#contract';
import { entryPointHandlers } from '../rulesets/entry-point-handlers.ts';
import { rulesetHandlers } from '../rulesets/ruleset-handlers.ts';
import { type RulesetLevel, createZoneLevel } from '../rulesets/ruleset-level.ts';
import type { Bundle } from './bundle-part.ts';
import { type ImportRun, runWithin } from './import-run.ts';
import { makeUnlessWeaker } from './managed-guard.ts';
import { toRulesetContent } from './ruleset-content.ts';

type GivenRuleset = NonNullable<Bundle['rulesets']>[number];

const query = { dry_run: undefined };

/** `isBundleMigrated` means that the bundle was exported from a zone without legacy managed rules. */
export function importRulesets(
  run: ImportRun,
  given: readonly GivenRuleset[],
  isBundleMigrated: boolean,
): void {
  checkPhases(given);
  const { context, mode } = run;
  const level = createZoneLevel(context);
  const tally = run.getTally('rulesets');
  const attempt = (phase: string, make: (level: RulesetLevel) => void): boolean =>
    makeUnlessWeaker(context, { phase, isBundleMigrated, make: (inner) => make(createZoneLevel(inner)) });
  if (mode === 'replace') {
    const phases = new Set(given.map(({ phase }) => phase));
    for (const { id, phase } of level.store.listAll('entry points')) {
      if (phases.has(phase)) continue;
      const isGone = attempt(phase, (inner) =>
        rulesetHandlers.delete(inner, { path: { ruleset_id: id }, query, body: undefined }),
      );
      tally[isGone ? 'removed' : 'kept']++;
    }
  }
  for (const [index, ruleset] of given.entries()) {
    const { phase, name, description, rules } = ruleset;
    const before = level.store.findEntryPoint(phase);
    if (before !== undefined && isDeepStrictEqual(toRulesetContent(before), ruleset)) tally.kept++;
    else if (before !== undefined && mode === 'merge') {
      tally.kept++;
      context.addMessage(entryOf(bundleCodes.bundleKept, { fill: { what: `the entry point of ${phase}` } }));
    } else {
      const body = { name, description, rules };
      const isTaken = attempt(phase, (inner) =>
        runWithin(`/rulesets/${index}`, () =>
          entryPointHandlers.updateEntryPoint(inner, { path: { ruleset_phase: phase }, query, body }),
        ),
      );
      if (!isTaken) tally.kept++;
      else tally[before === undefined ? 'added' : 'changed']++;
    }
  }
}

function checkPhases(given: readonly GivenRuleset[]): void {
  const phases = new Set<string>();
  for (const [index, { phase }] of given.entries()) {
    const details = { pointer: `/rulesets/${index}/phase`, fill: { phase } };
    if (phases.has(phase)) throw fault(bundleCodes.bundlePhaseRepeated, details);
    phases.add(phase);
  }
}

/** Entry points of a bundle. Rules that come from this zone keep their ids, others get ids of their own. */
import { isDeepStrictEqual } from 'node:util';
import { bundleCodes, entryOf, fault } from '#api';
import { entryPointHandlers } from '../rulesets/entry-point-handlers.ts';
import { rulesetHandlers } from '../rulesets/ruleset-handlers.ts';
import { zoneLevel } from '../rulesets/ruleset-level.ts';
import type { Bundle } from './bundle-part.ts';
import { type ImportRun, within } from './import-run.ts';
import { rulesetContent } from './ruleset-content.ts';

type GivenRuleset = NonNullable<Bundle['rulesets']>[number];

const query = { dry_run: undefined };

export function importRulesets(run: ImportRun, given: readonly GivenRuleset[]): void {
  checkPhases(given);
  const { context, mode } = run;
  const level = zoneLevel(context);
  const tally = run.tally('rulesets');
  if (mode === 'replace') {
    const phases = new Set(given.map(({ phase }) => phase));
    for (const { id, phase } of level.store.all('entry points')) {
      if (phases.has(phase)) continue;
      rulesetHandlers.delete(level, { path: { ruleset_id: id }, query, body: undefined });
      tally.removed++;
    }
  }
  for (const [index, ruleset] of given.entries()) {
    const { phase, name, description, rules } = ruleset;
    const before = level.store.entryPoint(phase);
    if (before !== undefined && isDeepStrictEqual(rulesetContent(before), ruleset)) tally.kept++;
    else if (before !== undefined && mode === 'merge') {
      tally.kept++;
      context.say(entryOf(bundleCodes.bundleKept, { fill: { what: `the entry point of ${phase}` } }));
    } else {
      const body = { name, description, rules };
      within(`/rulesets/${index}`, () =>
        entryPointHandlers.updateEntryPoint(level, { path: { ruleset_phase: phase }, query, body }),
      );
      tally[before === undefined ? 'added' : 'changed']++;
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

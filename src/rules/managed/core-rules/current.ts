/**
 * The version of the OWASP Core Rule Set in this process: one for all its zones, none until one is set.
 *
 * A replacement is complete before it takes effect: if rules of the previous version are compiled, those of the next
 * one are compiled first, in steps. Compiled zones keep their version.
 */
import type { CoreRules } from '#seclang';
import { replaceRuleset } from '../catalogue.ts';
import { replacePackage } from '../legacy/packages.ts';
import type { CoreEngine } from './core-engine.ts';
import { createInstalledRulesets, type InstalledRulesets } from './installed-ruleset.ts';

let digest: string | undefined;
let engine: CoreEngine | undefined;
/** The last replacement: each waits for the one before it. */
let replacing: Promise<unknown> = Promise.resolve();

/** Resolves to whether the version has changed. */
export function replaceCoreRules(rules: CoreRules | undefined): Promise<boolean> {
  const replaced = replacing.then(async () => {
    if (rules?.digest === digest) return false;
    const installed = createInstalledRulesets(rules);
    if (engine?.isLoaded === true) await installed.engine?.prepare();
    put(installed);
    digest = rules?.digest;
    return true;
  });
  replacing = replaced.catch(() => {});
  return replaced;
}

/** Compiles the rules for a zone that is about to need them, in steps. */
export async function prepareCoreRules(): Promise<void> {
  await engine?.prepare();
}

function put(installed: InstalledRulesets): void {
  replaceRuleset(installed.ruleset);
  replacePackage(installed.legacyPackage);
  engine = installed.engine;
}

/** Rule files on disk: the layout of CRS (a set-up file, and `rules/` beside it), or any directory of `.conf` files. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type CoreRules,
  loadRules,
  type RuleSet,
  type RuleSource,
  SecLangError,
  toRuleSource,
} from '#seclang';
import { RuleTestError } from './rule-test-error.ts';

export interface RuleDirectoryOptions {
  /** Instead of the set-up file of the directory. */
  readonly setup: string | undefined;
  /** Values of TX that are set before everything else: `paranoia_level` to `2`. */
  readonly values: ReadonlyMap<string, string>;
}

export function loadRuleDirectory(directory: string, { setup, values }: RuleDirectoryOptions): RuleSet {
  if (!existsSync(directory) || !statSync(directory).isDirectory()) {
    throw new RuleTestError(`--rules: ${directory} is not a directory`);
  }
  const inside = join(directory, 'rules');
  const rules = existsSync(inside) ? inside : directory;
  const names = readdirSync(rules).filter((name) => name.endsWith('.conf') && !name.startsWith('crs-setup'));
  if (names.length === 0) throw new RuleTestError(`--rules: there is no .conf file in ${rules}`);
  const paths = [setup ?? findSetup(directory), ...names.toSorted().map((name) => join(rules, name))];
  const files = paths
    .filter((path) => path !== undefined)
    .map((path) => ({ name: path, text: readFileSync(path, 'latin1') }));
  return loadWith(values, {
    files,
    readData: (name, file) => readFileSync(join(dirname(file), name), 'latin1'),
  });
}

/** A version that `gatehouse crs` has installed. */
export function loadInstalledRules(
  rules: CoreRules,
  { values }: Pick<RuleDirectoryOptions, 'values'>,
): RuleSet {
  return loadWith(values, toRuleSource(rules));
}

function loadWith(values: RuleDirectoryOptions['values'], { files, readData }: RuleSource): RuleSet {
  try {
    return loadRules({ files: [{ name: 'values', text: writeValues(values) }, ...files], readData });
  } catch (error) {
    if (error instanceof SecLangError) throw new RuleTestError(error.message, { cause: error });
    throw error;
  }
}

function findSetup(directory: string): string | undefined {
  const found = readdirSync(directory).find((name) =>
    /^@?crs-setup\.conf(?:\.example)?$/.test(basename(name)),
  );
  return found === undefined ? undefined : join(directory, found);
}

/** The id is far above those in rule sets. */
function writeValues(values: ReadonlyMap<string, string>): string {
  const assignments = Array.from(values, ([name, value]) => `setvar:'tx.${name}=${value}'`);
  return assignments.length === 0
    ? ''
    : `SecAction "id:999999999,phase:1,nolog,pass,t:none,${assignments.join(',')}"\n`;
}

/**
 * Selects the rule files of a source: the folder with the most rule files, the lists of words in it, the set-up file in
 * any folder, and the files for an operator's own exclusions, which Debian stores separately from the rules.
 */
import { basename, dirname } from 'node:path';
import { CrsError } from '../problem.ts';
import { isSetupFile, type RuleFiles } from '../rule-files.ts';

export interface SourceFile {
  /** From the root of the source. */
  readonly path: string;
  /** One character per byte. */
  readonly text: string;
}

/** The rules found in a source, not installed yet. */
export interface FoundRules extends RuleFiles {
  /** From its files or its package; undefined if neither contains it. */
  readonly version: string | undefined;
  /** A readable description of the origin. */
  readonly source: string;
}

/** Whether a file of a source may be needed. */
export function isRuleFile(path: string): boolean {
  return /\.(?:conf|data)$/.test(path) || isSetupFile(basename(path));
}

export function chooseFiles(all: readonly SourceFile[], source: string): FoundRules {
  const isRules = ({ path }: SourceFile): boolean => path.endsWith('.conf') && !isSetupFile(basename(path));
  const folders = Map.groupBy(all.filter(isRules), ({ path }) => dirname(path));
  const [folder, inFolder] =
    [...folders].toSorted(
      ([a, first], [b, second]) => second.length - first.length || a.length - b.length,
    )[0] ?? [];
  if (folder === undefined || inFolder === undefined)
    throw new CrsError(`there is no .conf file in ${source}`);
  const elsewhere = all.filter(
    ({ path }) => dirname(path) !== folder && /^(?:REQUEST-900|RESPONSE-999)-.*\.conf$/.test(basename(path)),
  );
  const setup = all
    .filter(({ path }) => isSetupFile(basename(path)))
    .toSorted((a, b) => rankSetup(a.path) - rankSetup(b.path) || a.path.length - b.path.length)
    .slice(0, 1);
  const rules = [...inFolder, ...elsewhere].map(toNamed).toSorted(byName);
  const repeated = rules.find(({ name }, index) => rules[index + 1]?.name === name);
  if (repeated !== undefined) throw new CrsError(`${source} has two files ${repeated.name}`);
  const files = [...setup.map(toNamed), ...rules];
  const data = all
    .filter(({ path }) => dirname(path) === folder && path.endsWith('.data'))
    .map(toNamed)
    .toSorted(byName);
  return { files, data, version: findVersion(files), source };
}

/** The active one comes before the example. */
function rankSetup(path: string): number {
  return path.endsWith('.example') ? 1 : 0;
}

function toNamed({ path, text }: SourceFile): { readonly name: string; readonly text: string } {
  return { name: basename(path), text };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/**
 * Rules of CRS name their version, `ver:'OWASP_CRS/4.25.0'`; a few of them name an older one, and comments contain
 * others as examples.
 */
function findVersion(files: RuleFiles['files']): string | undefined {
  const counts = new Map<string, number>();
  for (const { text } of files) {
    const code = text.replaceAll(/^[ \t]*#.*$/gm, '');
    for (const [, version] of code.matchAll(/\bOWASP_CRS\/(\d+(?:\.\d+)+(?:-[A-Za-z0-9.]+)?)/g))
      counts.set(version!, (counts.get(version!) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

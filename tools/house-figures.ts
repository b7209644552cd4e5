/**
 * The figures of the tree: rooms, exported names, files, lines, small files that one other file imports, names that several
 * files export. For comparing two versions:
 *
 *     npm run verify -- figures [DIRECTORY] [--slivers] [--names] [--tools]
 *
 * DIRECTORY is another checkout, by default this one. `--slivers` lists the small files, `--names` the types with three
 * or more declarations, each with its files.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path/posix';
import { parseArgs } from 'node:util';

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { slivers: { type: 'boolean' }, names: { type: 'boolean' }, tools: { type: 'boolean' } },
});
const root = resolve(positionals[0] ?? join(import.meta.dirname, '..'));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const isTest = (path: string): boolean => /\.test\.tsx?$|\/testing\.ts$|\/testdata\//.test(path);

const { imports: doors } = JSON.parse(read('package.json')) as {
  readonly imports: Readonly<Record<string, string>>;
};
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root });
const product = sources.filter((path) => !isTest(path));
const texts = new Map(product.map((path) => [path, read(path)]));
const countLines = (text: string): number => text.split('\n').length - 1;
const lines = product.map((path) => countLines(texts.get(path)!)).toSorted((a, b) => a - b);

/** The names that a file exports, those that it passes on included. */
function exportsOf(text: string): string[] {
  const own = Array.from(
    text.matchAll(
      /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm,
    ),
    ([, name]) => name!,
  );
  const listed = Array.from(text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)).flatMap(([, list]) =>
    list!
      .split(',')
      .map((each) =>
        each
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
      )
      .filter((each) => each !== ''),
  );
  return [...own, ...listed];
}

function importersOf(): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const [path, text] of texts)
    for (const [, name] of text.matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g)) {
      if (name === undefined) continue;
      const target = join(dirname(path), name);
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  return importers;
}

const importers = importersOf();
const slivers = product.filter(
  (path) => countLines(texts.get(path)!) < 25 && (importers.get(path)?.size ?? 0) === 1,
);
const folders = Map.groupBy(sources, dirname);
const meanings = new Map<string, Set<string>>();
for (const [path, text] of texts) {
  if (Object.values(doors).includes(`./${path}`)) continue;
  for (const [, name] of text.matchAll(/^(?:export )?(?:abstract )?(?:class|interface|type) (\w+)/gm))
    meanings.set(name!, (meanings.get(name!) ?? new Set()).add(path));
}
const several = [...meanings]
  .filter(([, files]) => files.size >= 3)
  .toSorted((a, b) => b[1].size - a[1].size);
const ofDoors = Object.entries(doors).map(([door, path]) => [door, exportsOf(read(path)).length] as const);
const at = (share: number): number => lines[Math.floor(lines.length * share)]!;

/** How often something that has one place is done by hand elsewhere, or in how many files: each pattern names one tool. */
const byHand: readonly (readonly [figure: string, pattern: RegExp])[] = [
  ['files that send HTTP requests themselves', /import (?:type )?[^;]*\brequest\b[^;]* from 'node:https?'/],
  [
    'files that call fetch, Workers and pages too',
    /\b(?:await|=>|return) (?:fetch|fetchApart|nativeFetch)\(/,
  ],
  ['files that look up addresses', /import [^;]*\blookup\b[^;]* from 'node:dns(?:\/promises)?'/],
  ['wordings of refused addresses', /Record<\s*OriginObstacle,\s*string\s*>/],
  ['files that write aside and rename', /rename(?:Sync)?\((?:temporary|unfinished|spare|incoming)/],
  ['files that trim a Map', /\.size >=? \w*[mM]ax\b[^;]*\)\s*[\w.#]+\.(?:clear\(\)|delete\(oldest)/],
  ['files that double a delay', /Ms \* 2 \*\*|Ms(?:Min)? \* 2 \*\*|Ms \*= 2\b/],
  ['files that look whether a process lives', /process\.kill\([^,()]+, 0\)/],
  ['files that write errors of arguments', /Failed to (?:execute|construct) [^;]*is not of type '\$/],
];
const countByHand = (pattern: RegExp): string[] => product.filter((path) => pattern.test(texts.get(path)!));

const rows: readonly (readonly [figure: string, value: string | number])[] = [
  ['parts', new Set(Object.values(doors).map((path) => dirname(path))).size],
  ['rooms', Object.keys(doors).length],
  ['names that doors export', ofDoors.reduce((sum, [, count]) => sum + count, 0)],
  ['files of the product', product.length],
  ['lines of the product', lines.reduce((sum, count) => sum + count, 0)],
  ['lines of its tests', sources.filter(isTest).reduce((sum, path) => sum + countLines(read(path)), 0)],
  ['lines of a file: median', at(0.5)],
  ['lines of a file: 90 %', at(0.9)],
  ['lines of a file: most', lines.at(-1)!],
  ['files under 25 lines that one other file imports', slivers.length],
  ['folders of exactly 15 files', [...folders.values()].filter((files) => files.length === 15).length],
  ['types with three or more declarations', several.length],
  ...byHand.map(([figure, pattern]) => [figure, countByHand(pattern).length] as const),
];
for (const [figure, value] of rows) console.log(`| ${figure} | ${value.toLocaleString('en')} |`);
console.log(
  '\nDoors with the most names:',
  ofDoors
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 8)
    .map((each) => each.join(' '))
    .join(', '),
);
console.log(
  'Types with the most declarations:',
  several
    .slice(0, 20)
    .map(([name, files]) => `${name} ${files.size}`)
    .join(', '),
);
if (flags.slivers === true) console.log(slivers.join('\n'));
if (flags.tools === true)
  for (const [figure, pattern] of byHand) console.log(`${figure}: ${countByHand(pattern).join(' ')}`);
if (flags.names === true)
  for (const [name, files] of several) console.log(`${name} ${files.size}: ${[...files].join(' ')}`);

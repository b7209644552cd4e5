/**
 * Real texts, as people paste them into forms: README files, documentation, licences and sources of the packages in
 * node_modules, and messages of commits. The set depends on the installed packages, so the share counts, not the
 * number.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import type { HarmlessValue } from '../harmless-values.ts';
import { places } from '../places.ts';
import { Random, seedFrom } from '../random.ts';

const root = new URL('../../../../', import.meta.url);

const fileBytesMax = 64 * 1024;
const textCharactersMax = 6_000;
/** Longer texts do not occur in an address. */
const queryCharactersMax = 2_000;

/** The maximum number of texts of each kind, so that no kind dominates. */
const kinds: Readonly<Record<string, number>> = {
  '.md': 3_000,
  '.js': 900,
  '.ts': 900,
  '.tsx': 150,
  '.mjs': 400,
  '.h': 600,
  '.c': 200,
  '.py': 200,
  '.sh': 200,
  '.sql': 400,
  '.css': 200,
  '.html': 200,
  '.yml': 300,
  '.ps1': 100,
  '.json': 300,
  '.txt': 200,
};

/** Paragraphs of a document, or the parts of a source between blank lines; each long enough to be meaningful. */
function cutIntoTexts(text: string, random: Random): readonly string[] {
  const texts = [text.slice(0, textCharactersMax)];
  const paragraphs = text.split(/\r?\n\s*\r?\n/).filter((paragraph) => paragraph.trim().length > 40);
  for (let count = 0; count < 4 && paragraphs.length > 1; count++) {
    const from = random.below(paragraphs.length);
    texts.push(
      paragraphs
        .slice(from, from + 1 + random.below(4))
        .join('\n\n')
        .slice(0, textCharactersMax),
    );
  }
  return texts;
}

function readFiles(random: Random): readonly { readonly kind: string; readonly text: string }[] {
  const files = globSync(['node_modules/**/*.{md,js,ts,tsx,mjs,h,c,py,sh,sql,css,html,yml,ps1,json,txt}'], {
    cwd: root,
  }).toSorted();
  const found: { kind: string; text: string }[] = [];
  for (const [kind, most] of Object.entries(kinds)) {
    const all = files.filter((file) => extname(file) === kind);
    const seen = new Set<string>();
    for (let tries = 0; seen.size < most && tries < 2 * most && all.length > 0; tries++) {
      const file = new URL(random.pick(all), root);
      if (statSync(file).size > fileBytesMax) continue;
      for (const text of cutIntoTexts(readFileSync(file, 'utf8'), random)) {
        if (text.length > 20 && seen.size < most && !text.includes('\0')) seen.add(text);
      }
    }
    for (const text of seen) found.push({ kind, text });
  }
  return found;
}

function readCommits(): readonly { readonly kind: string; readonly text: string }[] {
  try {
    const log = execFileSync('git', ['log', '-n', '1500', '--format=%B%x00'], {
      cwd: root,
      encoding: 'utf8',
    });
    return log
      .split('\0')
      .map((text) => ({ kind: 'commit', text: text.trim() }))
      .filter(({ text }) => text !== '');
  } catch {
    // A package without its history has no commits.
    return [];
  }
}

/** Each in four places, long ones not in a query. With `every`, only every n-th. */
export function listTexts(every = 1): readonly HarmlessValue[] {
  const random = new Random(seedFrom('texts'));
  const chosen = ['form', 'json', 'multipart', 'query'].map((name) =>
    places.find((place) => place.name === name)!,
  );
  return [...readFiles(random), ...readCommits()]
    .filter((_, index) => index % every === 0)
    .flatMap(({ kind, text }) =>
      chosen
        .filter(({ name }) => name !== 'query' || text.length <= queryCharactersMax)
        .map((place) => {
          const request = place.build({ value: text, name: 'content', random, transport: {} });
          return { kind, value: text, request };
        }),
    );
}

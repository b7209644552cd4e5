/** The titles of parts of the page, read from its sources: `Delete ${name}?` as a pattern. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../src/browser/page');

export interface Title {
  readonly file: string;
  readonly text: string;
  readonly pattern: RegExp;
}

/** Of all dialogs that the page can open. */
export function listDialogTitles(): readonly Title[] {
  return listTitles(/<(?:\w*Dialog|Confirm|ConfirmButton)\b(?!\.)/g);
}

/** Of all empty states, each of which offers a command. */
export function listEmptyTitles(): readonly Title[] {
  return listTitles(/<Empty\b/g);
}

/** Of the tags that begin with the pattern. */
function listTitles(tags: RegExp): readonly Title[] {
  return globSync('**/*.tsx', { cwd: folder }).flatMap((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    return [...source.matchAll(tags)].flatMap(({ index }) =>
      readTitles(source.slice(index)).map((text) => ({ file, text, pattern: toPattern(text) })),
    );
  });
}

/** The texts of the attribute `title` of the tag that a source begins with. */
function readTitles(source: string): readonly string[] {
  const { start, end } = findAttribute(source);
  if (start === undefined) return [];
  const value = source.slice(start, end);
  return [...value.matchAll(/'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`/g)]
    .map(([, ...texts]) => texts.find((text) => text !== undefined)!)
    .filter((text) => /^[A-Z]/.test(text));
}

/** Where the value of `title` is; attributes of other tags inside of braces do not count. */
function findAttribute(source: string): { readonly start?: number; readonly end?: number } {
  let depth = 0;
  for (let at = 1; at < source.length; at++) {
    const char = source[at];
    if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (depth === 0 && char === '>' && source[at - 1] !== '=') return {};
    else if (depth === 0 && source.startsWith('title=', at) && /\s/.test(source[at - 1]!)) {
      const start = at + 'title='.length;
      if (source[start] === '"') return { start, end: source.indexOf('"', start + 1) + 1 };
      let open = 0;
      for (let end = start; end < source.length; end++) {
        if (source[end] === '{') open++;
        if (source[end] === '}' && --open === 0) return { start, end };
      }
    }
  }
  return {};
}

function toPattern(text: string): RegExp {
  const parts = text.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.+')}$`, 'su');
}

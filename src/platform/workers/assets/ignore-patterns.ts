/**
 * Patterns of files to exclude, in the syntax of `.gitignore`: the last pattern that matches a path decides, `!`
 * includes it again, and files below an excluded folder cannot be included. Matching ignores case, as in Wrangler.
 */
interface Pattern {
  readonly expression: RegExp;
  readonly takesIn: boolean;
  readonly isFolder: boolean;
}

export class IgnorePatterns {
  readonly #patterns: readonly Pattern[];

  constructor(lines: readonly string[]) {
    this.#patterns = lines.map(parsePattern).filter((pattern) => pattern !== undefined);
  }

  /** Whether a file is excluded. The path is relative to the folder of the patterns, with `/` between its parts. */
  ignores(path: string, { isFolder = false }: { readonly isFolder?: boolean } = {}): boolean {
    const slash = path.lastIndexOf('/');
    if (slash !== -1 && this.ignores(path.slice(0, slash), { isFolder: true })) return true;
    const last = this.#patterns.findLast(
      (pattern) => (isFolder || !pattern.isFolder) && pattern.expression.test(path),
    );
    return last !== undefined && !last.takesIn;
  }
}

/** Undefined for a line that is empty or a comment. */
function parsePattern(line: string): Pattern | undefined {
  // A trailing space counts only after a backslash.
  const text = line.replace(/^\uFEFF/, '').replace(/(?<!\\)\s+$/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const takesIn = text.startsWith('!');
  const whole = takesIn ? text.slice(1) : text;
  const isFolder = whole.endsWith('/');
  const path = isFolder ? whole.slice(0, -1) : whole;
  // A trailing backslash matches nothing.
  if (path === '' || /(?<!\\)(?:\\\\)*\\$/.test(path)) return undefined;
  // With a slash at the start or inside, it is a path from the folder, otherwise a name at any depth.
  const parts = path.includes('/') ? path.replace(/^\//, '').split('/') : ['**', path];
  return { expression: new RegExp(`^${joinParts(parts)}$`, 'isu'), takesIn, isFolder };
}

function joinParts(parts: readonly string[]): string {
  return parts
    .map((part, index) => {
      const isLast = index === parts.length - 1;
      if (part === '**') return isLast ? '.+' : '(?:.+/)?';
      return writePart(part) + (isLast ? '' : '/');
    })
    .join('');
}

/** One part of a path: `*`, `?`, `[…]` and `\` have the same meaning as in a shell. */
function writePart(part: string): string {
  return part.replace(
    /\\(?<escaped>.)|\*+|\?|\[(?<not>[!^]?)(?<set>\]?(?:\\.|[^\]\\])*)\]|[^]/gu,
    (token, ...rest: unknown[]) => {
      const { escaped, not, set } = rest.at(-1) as Record<string, string | undefined>;
      if (escaped !== undefined) return RegExp.escape(escaped);
      if (token.startsWith('*')) return '[^/]*';
      if (token === '?') return '[^/]';
      if (set !== undefined && set !== '') return `(?!/)[${not === '' ? '' : '^'}${writeSet(set)}]`;
      return RegExp.escape(token);
    },
  );
}

/** The inside of `[…]`, where only a hyphen between two characters is special. */
function writeSet(set: string): string {
  return set.replace(
    /(?<from>\\.|[^\\])-(?<to>\\.|[^\\])|\\(?<escaped>.)|[^]/gu,
    (token, ...rest: unknown[]) => {
      const { from, to, escaped } = rest.at(-1) as Record<string, string | undefined>;
      const write = (text: string): string => RegExp.escape(text.replace(/^\\(?=.)/u, ''));
      if (from !== undefined && to !== undefined) {
        const isRange = from.replace(/^\\/, '') <= to.replace(/^\\/, '');
        // A reversed range matches nothing.
        return isRange ? `${write(from)}-${write(to)}` : '';
      }
      return RegExp.escape(escaped ?? token);
    },
  );
}

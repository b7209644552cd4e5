/**
 * Takes away the imports that only types used. Stripping the types of a TypeScript file leaves `import { Env } from
 * './types'` behind, and importing a name that does not exist at run time is an error; compilers drop such
 * names, so Workers code relies on it. A name that occurs nowhere else in the file outside comments
 * cannot be needed; an import without any needed name goes as a whole.
 */
import { maskSource } from './mask.ts';

const importPattern =
  /(?<=^|[;}\n])([ \t]*)import\s+([\p{ID_Start}$_*{][\p{ID_Continue}$_\s{},*"']*?)\s*from\s*(?=["'])/gu;
const tailPattern = /(["'])[^"']*\1(?:\s*with\s*\{[^}]*\})?[ \t]*;?/y;
const clausePattern = /^(?:([\p{ID_Continue}$]+)\s*,?\s*)?(?:\*\s*as\s+([\p{ID_Continue}$]+)|\{([^}]*)\})?$/u;

interface Import {
  readonly start: number;
  readonly clauseStart: number;
  readonly clauseEnd: number;
  readonly end: number;
}

/** `source` is JavaScript. Line numbers stay as they are. */
export function dropUnusedImports(source: string): string {
  const { code, commentless } = maskSource(source);
  const imports = findImports(code);
  let rest = commentless;
  for (const { start, end } of imports)
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  const used = new Set(rest.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
  let result = source;
  // From the end, so that the places of those before stay right.
  for (const each of imports.reverse()) {
    const clause = commentless.slice(each.clauseStart, each.clauseEnd);
    const kept = neededClause(clause, used);
    if (kept === clause) continue;
    const [from, to] = kept === undefined ? [each.start, each.end] : [each.clauseStart, each.clauseEnd];
    const lineBreaks = source.slice(from, to).replace(/[^\n]/g, '');
    result = result.slice(0, from) + (kept ?? '') + lineBreaks + result.slice(to);
  }
  return result;
}

function findImports(code: string): Import[] {
  return [...code.matchAll(importPattern)].map((match) => {
    const start = match.index + match[1]!.length;
    const clauseStart = match.index + match[0].indexOf(match[2]!, match[1]!.length + 'import'.length);
    const tailStart = match.index + match[0].length;
    tailPattern.lastIndex = tailStart;
    const tail = tailPattern.exec(code)?.[0] ?? '';
    return { start, clauseStart, clauseEnd: clauseStart + match[2]!.length, end: tailStart + tail.length };
  });
}

/** The clause without what is unused: the same text if all is used, undefined if nothing is. */
function neededClause(clause: string, used: ReadonlySet<string>): string | undefined {
  const parts = clausePattern.exec(clause.trim());
  if (parts === null) return clause;
  const [, defaultName, namespaceName, list] = parts;
  const names = (list ?? '').split(',').map((name) => name.trim());
  const given = names.filter((name) => name !== '');
  const needed = given.filter((name) => used.has(name.split(/\s+as\s+/).at(-1)!));
  const needsDefault = defaultName !== undefined && used.has(defaultName);
  const needsNamespace = namespaceName !== undefined && used.has(namespaceName);
  const dropped =
    needed.length < given.length ||
    (defaultName !== undefined && !needsDefault) ||
    (namespaceName !== undefined && !needsNamespace);
  if (!dropped) return clause;
  const kept = [
    ...(needsDefault ? [defaultName] : []),
    ...(needsNamespace ? [`* as ${namespaceName}`] : []),
    ...(needed.length > 0 ? [`{ ${needed.join(', ')} }`] : []),
  ];
  return kept.length === 0 ? undefined : kept.join(', ');
}

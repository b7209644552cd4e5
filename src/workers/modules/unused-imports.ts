/**
 * Takes away the imports that only types used. Stripping the types of a TypeScript file leaves `import { Env } from
 * './types'` behind, and importing a name that does not exist at run time is an error; compilers drop such
 * names, so Workers code relies on it. A name that occurs nowhere else in the file outside comments
 * cannot be needed; an import without any needed name goes as a whole.
 */
import { type ImportDeclaration, parse, type Program, type Token, tokTypes } from 'acorn';

/** Acorn's types leave out the value, which has escapes resolved. */
interface NameToken extends Token {
  readonly value: string;
}

/** `source` is JavaScript. Line numbers stay as they are. */
export function dropUnusedImports(source: string): string {
  const names: NameToken[] = [];
  let program: Program;
  try {
    program = parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      onToken: (token) => void (token.type === tokTypes.name && names.push(token as NameToken)),
    });
  } catch {
    // Node says what is wrong, if it does not know this syntax either.
    return source;
  }
  const imports = program.body.filter((statement) => statement.type === 'ImportDeclaration');
  const used = namesOutside(imports, names);
  let result = source;
  // From the end, so that the places of those before stay right.
  for (const declaration of imports.reverse()) {
    const { specifiers, start, end } = declaration;
    const needed = specifiers.filter(({ local }) => used.has(local.name));
    if (needed.length === specifiers.length) continue;
    const replaced = needed.length === 0 ? end : declaration.source.start;
    const lineBreaks = source.slice(start, replaced).replace(/[^\n]/g, '');
    const kept =
      needed.length === 0 ? lineBreaks : `import ${writeClause(needed, source)}${lineBreaks} from `;
    result = result.slice(0, start) + kept + result.slice(replaced);
  }
  return result;
}

function namesOutside(imports: readonly ImportDeclaration[], names: readonly NameToken[]): Set<string> {
  const used = new Set<string>();
  let next = 0;
  for (const { value, start } of names) {
    while (next < imports.length && imports[next]!.end <= start) next++;
    if (next === imports.length || start < imports[next]!.start) used.add(value);
  }
  return used;
}

function writeClause(specifiers: ImportDeclaration['specifiers'], source: string): string {
  const named = specifiers.filter(({ type }) => type === 'ImportSpecifier');
  const others = specifiers.filter(({ type }) => type !== 'ImportSpecifier');
  const textOf = ({ start, end }: { start: number; end: number }): string => source.slice(start, end);
  const list = named.length === 0 ? [] : [`{ ${named.map(textOf).join(', ')} }`];
  return [...others.map(textOf), ...list].join(', ');
}

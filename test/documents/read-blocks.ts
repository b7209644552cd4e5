/** The blocks of a page: commands for a shell, the files that they need, and blocks that are only shown. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export interface CommandBlock {
  /** Of its fence, from 1. */
  readonly line: number;
  readonly commands: string;
  /** The output that the page shows; undefined if it shows none. */
  readonly output: string | undefined;
}

export interface PageBlocks {
  readonly commands: readonly CommandBlock[];
  /** By their names: a reader saves them before the first command. */
  readonly files: ReadonlyMap<string, string>;
  /** How many are neither, nor the output of commands. */
  readonly shown: number;
}

/** README.md and those of docs/. */
export const pages: readonly string[] = [
  'README.md',
  ...globSync('docs/**/*.md', { cwd: root }).toSorted((one, other) => one.localeCompare(other)),
];

const fence = /^(?<indent> *)```(?<language>[^\n`]*)\n(?<text>[^]*?)^ *```$/gm;

export function readBlocks(page: string): PageBlocks {
  const text = readFileSync(join(root, page), 'utf8');
  const commands: CommandBlock[] = [];
  const files = new Map<string, string>();
  let shown = 0;
  let printedBefore: { readonly end: number } | undefined;
  for (const match of text.matchAll(fence)) {
    const { indent, language, text: indented } = match.groups!;
    const content = indented!.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const before = text.slice(0, match.index);
    const isOutput = printedBefore?.end === match.index - 2 && /^(?:json)?$/.test(language!);
    const name = findFileName(before, content);
    if (language === 'sh') {
      commands.push({ line: before.split('\n').length, commands: content, output: undefined });
      printedBefore = { end: match.index + match[0].length };
      continue;
    }
    printedBefore = undefined;
    if (isOutput) commands.push({ ...commands.pop()!, output: content });
    else if (name === undefined) shown++;
    else if (!files.has(name)) files.set(name, content);
  }
  return { commands, files, shown };
}

/** Given in its first line, a comment, or in the paragraph before it. */
function findFileName(before: string, content: string): string | undefined {
  const [, first] = /^\/\/ ([\w.-]+\.\w+)\n/.exec(content) ?? [];
  const paragraph = before.trimEnd().split('\n\n').at(-1)!;
  return first ?? /\bsave this as\s`([^`]+)`/i.exec(paragraph)?.[1];
}

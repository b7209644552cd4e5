/**
 * The worked example of CONTRIBUTING.md: its code blocks with a file name are applied to a copy of this repository, so
 * that a test can run them. A block `ts FILE` is a file; a block `diff FILE` changes one, with its parts separated by
 * an ellipsis.
 *
 *     node tools/worked-example.ts      applies it, and checks the format, types, tests and the built page
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The folders that the checks read; the others are only linked. */
const copied = ['bench', 'clients', 'conformance', 'docs', 'examples', 'package', 'src', 'test', 'tools'];

interface Block {
  readonly file: string;
  readonly isChange: boolean;
  readonly text: string;
}

const blockPattern = /^```(?<kind>tsx?|diff) (?<file>\S+\.\S+)\n(?<text>.*?)^```$/gms;

export function readExample(): Block[] {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  return Array.from(page.matchAll(blockPattern), ({ groups }) => ({
    file: groups!['file']!,
    isChange: groups!['kind'] === 'diff',
    text: groups!['text']!,
  }));
}

/** A copy of this repository with the example applied. */
export class ExampleCopy implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'gatehouse-example-'));

  constructor(blocks: readonly Block[]) {
    for (const folder of copied) this.#copyFolder(folder);
    const files = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of files) copyFileSync(join(root, name), join(this.directory, name));
    symlinkSync(join(root, 'node_modules'), join(this.directory, 'node_modules'));
    for (const block of blocks) this.#apply(block);
  }

  /** Runs Node in it; throws its output if it fails. */
  run(...args: readonly string[]): void {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.directory,
      encoding: 'utf8',
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    if (status !== 0) throw new Error(`node ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true });
  }

  #copyFolder(folder: string): void {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    mkdirSync(join(this.directory, folder));
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (/\/(?:node_modules|dist|\.gatehouse|\.cache)(?:\/|$)/.test(path.slice(root.length))) continue;
      const target = join(this.directory, path.slice(root.length));
      if (entry.isDirectory()) mkdirSync(target);
      else if (entry.isFile()) linkOrCopy(path, target);
    }
  }

  #apply({ file, isChange, text }: Block): void {
    const target = join(this.directory, file);
    mkdirSync(dirname(target), { recursive: true });
    const changed = isChange ? applyChange(readFileSync(target, 'utf8'), { file, text }) : text;
    // Replaced instead of written, because it may be a link to the file of this repository.
    rmSync(target, { force: true });
    writeFileSync(target, changed);
  }
}

function linkOrCopy(path: string, target: string): void {
  try {
    linkSync(path, target);
  } catch {
    copyFileSync(path, target);
  }
}

function applyChange(before: string, { file, text }: Pick<Block, 'file' | 'text'>): string {
  return text.split(' …\n').reduce((lines, part) => {
    const given = part.split('\n').filter((line) => line !== '');
    const pick = (marks: string): string =>
      given
        .filter((line) => marks.includes(line[0]!))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const places = `\n${lines}`.split(`\n${pick(' -')}`).length - 1;
    if (places !== 1)
      throw new Error(`CONTRIBUTING.md changes lines that ${file} has ${places} times:\n${part}`);
    return lines.replace(pick(' -'), () => pick(' +'));
  }, before);
}

if (import.meta.main) {
  const blocks = readExample();
  using copy = new ExampleCopy(blocks);
  const tool = (name: string): string => join('node_modules', '.bin', name);
  const files = blocks.map(({ file }) => file);
  for (const args of [
    [tool('oxfmt'), '--check', ...files],
    [tool('tsc')],
    [tool('tsc'), '-p', 'src/browser/page'],
  ]) {
    process.stdout.write(`${args.join(' ')}\n`);
    copy.run(...args);
  }
  copy.run('tools/build-dashboard.ts');
  copy.run('--test', ...files.filter((file) => file.endsWith('.test.ts')));
}

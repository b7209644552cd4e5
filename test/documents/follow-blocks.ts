/**
 * Runs blocks of commands as a reader does: in one shell, one after the other, with `gatehouse` on the path. A block without
 * output must not fail; one with output must print that, with `…` for any text.
 */
import { equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandBlock, PageBlocks } from './read-blocks.ts';

export interface Reader {
  /** Where the shell runs; it has `gatehouse` in it. */
  readonly directory: string;
  readonly home?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** What starts the shell, such as `unshare`. */
  readonly launcher?: readonly string[];
  /** Kills the shell, and with it the attempt. */
  readonly signal?: AbortSignal;
}

/** Between the outputs of two blocks. */
const end = '--- end of a block ---';

export async function followBlocks(
  reader: Reader,
  { commands: blocks, files }: Pick<PageBlocks, 'commands' | 'files'>,
): Promise<void> {
  for (const [name, text] of files) writeFileSync(join(reader.directory, name), text);
  // A block that shows what it prints may show a command that fails.
  const parts = blocks.map(
    ({ commands, output }) => `set ${output === undefined ? '-e' : '+e'}\n${commands}`,
  );
  const { code, stdout, stderr } = await runShell(reader, [...parts, ''].join(`\necho '${end}'\n`));
  const printed = stdout.split(`${end}\n`);
  const last = blocks[printed.length - 1];
  equal(code, 0, `the block of line ${last?.line} ends the shell with ${code}:\n${stdout}${stderr}`);
  for (const [index, block] of blocks.entries())
    checkOutput(block, printed[index]!.replaceAll(reader.directory, '/home/you'));
}

async function runShell(
  { directory, home, settings, launcher = [], signal }: Reader,
  script: string,
): Promise<{ readonly code: number | string; readonly stdout: string; readonly stderr: string }> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env;
  const [file, ...args] = [...launcher, 'bash', '-uo', 'pipefail', '-c', script];
  const shell = spawn(file, args, {
    cwd: directory,
    env: { PATH: `${directory}:${PATH}`, HOME: home ?? HOME, NODE_COMPILE_CACHE, NODE_OPTIONS, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that servers of a failing page end with it.
    detached: true,
  });
  const endAll = (): void => {
    try {
      process.kill(-shell.pid!, 'SIGKILL');
    } catch {
      // All processes have exited.
    }
  };
  signal?.addEventListener('abort', endAll);
  try {
    const written = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      shell[name].setEncoding('utf8').on('data', (text: string) => (written[name] += text));
    }
    const [code, killedBy] = (await once(shell, 'close')) as [number | null, string | null];
    return { code: code ?? killedBy!, ...written };
  } finally {
    signal?.removeEventListener('abort', endAll);
    endAll();
  }
}

function checkOutput({ line, output }: CommandBlock, printed: string): void {
  if (output === undefined) return;
  equal(fit(printed, output), generalise(output), `what the block of line ${line} prints`);
}

/** The output, in the form of the page if they differ only where the page has `…`. */
function fit(printed: string, shown: string): string {
  // An id is shown by its first digits.
  const pattern = RegExp.escape(generalise(shown).replaceAll(/\b[0-9a-f]{4}…/g, '…')).replaceAll(
    '…',
    '[^]*?',
  );
  return new RegExp(`^${pattern}$`).test(generalise(printed)) ? generalise(shown) : generalise(printed);
}

/** Sizes, times and places differ from run to run, and versions from release to release. */
function generalise(text: string): string {
  return (
    text
      .trimEnd()
      .replaceAll(/^\/\S+\/([\w-]+: )/gm, '/srv/$1')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/\b[0-9a-f]{16}-[A-Z]{4}\b/g, 'RAY')
      // Columns are as wide as what is in them.
      .replaceAll(/ {2,}/g, '  ')
      .replaceAll(/\d+ files/g, 'N files')
      .replaceAll(/^\d+\.\d+\.\d+$/gm, 'VERSION')
      .replaceAll(/[\d.]+ [kM]?B\b/g, 'SIZE')
  );
}

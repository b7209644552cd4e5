/**
 * Where the sources of a program come from: a release by its tag, from the repository, or a version of its module, from the
 * Go module proxy. Both are copies that may be written to, so that `replace` lines of their go.mod count.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Sources or a program that could not be obtained; the reason is for the operator. */
export class BuildError extends Error {}

/** Of a shallow clone; it is abandoned if the network drops packets. */
const cloneMsMax = 5 * 60_000;

export interface Release {
  /** A URL or a path that git accepts. */
  readonly repository: string;
  readonly tag: string;
}

export interface Cloned {
  readonly directory: string;
  /** Of the tag, in full. */
  readonly commit: string;
}

/** The sources of a tag, below `directory`. Throws a `BuildError` if the repository cannot be reached or has no such tag. */
export function cloneRelease({ repository, tag }: Release, directory: string): Cloned {
  const copy = join(directory, tag);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const settings = [
    '-c',
    'advice.detachedHead=false',
    '-c',
    'http.lowSpeedLimit=1',
    '-c',
    'http.lowSpeedTime=30',
  ];
  git([...settings, 'clone', '--quiet', '--depth', '1', '--branch', tag, repository, copy], directory);
  return { directory: copy, commit: git(['rev-parse', 'HEAD'], copy).trim() };
}

function git(args: readonly string[], directory: string): string {
  // It must not ask for a password.
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: directory,
    env,
    encoding: 'utf8',
    timeout: cloneMsMax,
  });
  if (status === 0) return stdout;
  throw new BuildError(error?.message ?? stderr.trim().split('\n').at(-1) ?? `git ended with ${status}`);
}

export interface ModuleVersion {
  readonly module: string;
  readonly version: string;
  /** Of the sources, as go.sum has it. A version without one is checked by Go's own database. */
  readonly sum?: string;
}

/** The sources of a version of a module, in `copy`. */
export function downloadModule({ module, version, sum }: ModuleVersion, copy: string): string {
  rmSync(copy, { recursive: true, force: true });
  const parent = join(copy, '..');
  mkdirSync(parent, { recursive: true });
  // A pinned sum needs no database of sums, which not every network reaches.
  const environment = sum === undefined ? {} : { GONOSUMDB: module };
  const text = go(['mod', 'download', '-json', `${module}@${version}`], parent, environment);
  const { Dir, Sum } = JSON.parse(text) as { readonly Dir: string; readonly Sum: string };
  if (sum !== undefined && Sum !== sum) {
    throw new BuildError(
      `the sources of ${module}@${version} are not the expected ones: ${Sum} instead of ${sum}`,
    );
  }
  cpSync(Dir, copy, { recursive: true });
  makeWritable(copy);
  return copy;
}

/** Files of the module cache are read-only, and so are copies of them. */
export function makeWritable(directory: string): void {
  spawnSync('chmod', ['-R', 'u+w', directory]);
}

export function go(
  args: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr } = spawnSync('go', args, {
    cwd: directory,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  const reason = errorOf(stdout) ?? stderr.trim().split('\n').slice(-5).join('\n');
  throw new BuildError(`go ${args.slice(0, 2).join(' ')} failed: ${reason}`);
}

/** `go mod download -json` reports its failure in the document. */
function errorOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly Error?: string }).Error;
  } catch {
    return undefined;
  }
}

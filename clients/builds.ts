/**
 * The programs of others, built with Go from sources of the Go module proxy and kept in a cache directory.
 *
 * The module of the Cloudflare provider has no major version in its path, so its tags 3.35 and 4.52 are no module versions:
 * of this module the proxy holds single commits, those that somebody once asked for. The commits here are the newest of
 * their line that it holds. Another source can be given for each program: another version, or a directory with a checkout.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

export interface Program {
  /** What is built, as the report says it; and for the columns of its tables. */
  readonly label: string;
  readonly short: string;
  readonly module: string;
  readonly version: string;
  /** Of the sources, as go.sum has it. A version that was given on the command line is checked by Go's own database. */
  readonly sum?: string;
  readonly packagePath: string;
  readonly executable: string;
}

const providerModule = 'github.com/cloudflare/terraform-provider-cloudflare';

const programs = {
  tofu: {
    label: 'OpenTofu 1.10.6',
    short: '1.10.6',
    module: 'github.com/opentofu/opentofu',
    version: 'v1.10.6',
    sum: 'h1:J57O7HrW7gakftSLFQr+/p7fniZjZ3FQLFyzv4XsSmQ=',
    packagePath: './cmd/tofu',
    executable: 'tofu',
  },
  'provider-4': {
    label: 'provider 4 (4.48 in development, 2024-12-09)',
    short: '4.48-dev',
    module: providerModule,
    version: 'v1.18.2-0.20241209015037-1c39e979c0c2',
    sum: 'h1:UKwUdFc2Ob3Mu7+HLalB1R3veO0x6/uhayqvwkWL1b0=',
    packagePath: '.',
    executable: 'terraform-provider-cloudflare',
  },
  'provider-5': {
    label: 'provider 5 (5.24 in development, 2026-08-24)',
    short: '5.24-dev',
    module: providerModule,
    version: 'v0.0.0-20260824180050-4f360d592a7d',
    sum: 'h1:LJdO8KLQB9tIgKEeEzYtiVAQMr+RNCM7cwBchd2hZ7k=',
    packagePath: '.',
    executable: 'terraform-provider-cloudflare',
  },
  'provider-3': {
    label: 'provider with the legacy managed rules (2.14 in development, 2020-11-26)',
    short: '2.14-dev',
    module: providerModule,
    version: 'v1.18.2-0.20201126031502-995f63ac2526',
    sum: 'h1:IlMiMkvhir+6X9/CM9b/89yiqFAz2SLZDAyNu/F8RhI=',
    packagePath: '.',
    executable: 'terraform-provider-cloudflare',
  },
  'cf-terraforming': {
    label: 'cf-terraforming 0.23.2',
    short: '0.23.2',
    module: 'github.com/cloudflare/cf-terraforming',
    version: 'v0.23.2',
    packagePath: './cmd/cf-terraforming',
    executable: 'cf-terraforming',
  },
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof programs;
export type ProviderName = Exclude<ProgramName, 'tofu' | 'cf-terraforming'>;
export const programNames = Object.keys(programs) as ProgramName[];

/** A program that could not be had; the reason is for the operator. */
export class BuildError extends Error {}

export interface Built extends Pick<Program, 'label' | 'short'> {
  readonly path: string;
}

export interface BuildOptions {
  readonly cache: string;
  /** A version of the module, or a directory with its sources. */
  readonly from?: string | undefined;
}

/** Throws a `BuildError` that says what to install. */
export function checkGo(): void {
  const { status, error } = spawnSync('go', ['version'], { encoding: 'utf8' });
  if (error === undefined && status === 0) return;
  throw new BuildError(
    'Go is not installed: `go version` did not run. Install Go 1.24 or newer, put it in PATH and run this again.',
  );
}

/** Builds the program unless the cache has it. */
export function build(name: ProgramName, { cache, from }: BuildOptions): Built {
  const program = sourceOf(name, from);
  const isDirectory = program.directory !== undefined;
  const folder = join(cache, 'bin', `${name}@${isDirectory ? 'checkout' : program.version}`);
  const path = join(folder, program.executable);
  // A checkout may have changed since it was built; Go knows.
  if (existsSync(path) && !isDirectory) return { ...program, path };
  const sources = program.directory ?? downloaded(name, program, cache);
  console.error(`clients: building ${program.label}`);
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.tmp`;
  go(['build', '-buildvcs=false', '-o', unfinished, program.packagePath], sources);
  renameSync(unfinished, path);
  return { ...program, path };
}

function sourceOf(name: ProgramName, from: string | undefined): Program & { readonly directory?: string } {
  const program: Program = programs[name];
  if (from === undefined) return program;
  if (existsSync(from))
    return { ...program, label: `${name} of ${from}`, short: basename(from), directory: resolve(from) };
  const { sum: _, ...rest } = program;
  return { ...rest, label: `${name} ${from}`, short: from, version: from };
}

/** A writable copy of the sources: as the main module, so that its `replace` lines count. */
function downloaded(name: string, { module, version, sum }: Program, cache: string): string {
  const copy = join(cache, 'src', `${name}@${version}`);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  console.error(`clients: fetching ${module}@${version}`);
  // A pinned sum needs no database of sums, which not every network reaches.
  const environment = sum === undefined ? {} : { GONOSUMDB: module };
  const text = go(['mod', 'download', '-json', `${module}@${version}`], cache, environment);
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

/** Files of the module cache are read-only; Go only has to add what is built beside them. */
function makeWritable(directory: string): void {
  spawnSync('chmod', ['-R', 'u+w', directory]);
}

function go(
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

/** `go mod download -json` tells its failure in the document. */
function errorOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly Error?: string }).Error;
  } catch {
    return undefined;
  }
}

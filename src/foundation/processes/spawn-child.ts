/**
 * Starts a child process: with the flags of this process except those for its own code, and its environment without
 * settings. A confined process gets only what is listed here.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  listLoadingPaths,
  listProgramArguments,
  programRoot,
  shareCompileCache,
  programEnvironment,
  withoutSettings,
} from '#base';
import { startOwn } from '#work';
import type { ClosedProcess, StartedProcess } from './started-process.ts';

export interface SpawnOptions {
  /** A module that calls `runChild`. */
  readonly module: URL;
  /** The limit of the JavaScript heap. V8 ends a process that exceeds it. */
  readonly heapBytesMax?: number;
  /** The size of the young generation: a smaller one makes a process smaller, and garbage collection more frequent. */
  readonly semiSpaceBytesMax?: number;
  /** Open files that it gets as descriptors from `firstPassedFd` on; `pipe` means a connection to this process. */
  readonly passed?: readonly (number | 'pipe')[];
  /** Where its output goes: into the log, under its name (default), or to the output of this process. */
  readonly output?: 'log' | 'inherit';
  /** Without it, the process has all rights of its user. */
  readonly confined?: Confinement | undefined;
}

/**
 * What a process confined by Node's permission model may access, in addition to the files of the program: it loads no
 * native code, has no debugger, not even by a signal, and starts no other process once it has called `endLoading`.
 */
export interface Confinement {
  /** Folders and files. Written ones are also readable. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export function spawnChild(options: SpawnOptions): StartedProcess {
  const { module, passed = [] } = options;
  const output = options.output === 'inherit' ? 'inherit' : 'pipe';
  const child = startOwn(() =>
    spawn(process.execPath, listProgramArguments(listFlags(options), module), {
      stdio: ['ignore', output, output, 'ipc', 'pipe', 'pipe', ...passed],
      serialization: 'advanced',
      env: { ...listEnvironment(options), ...shareCompileCache() },
    }),
  );
  const { promise, resolve } = Promise.withResolvers<ClosedProcess>();
  child.once('close', (code, signal) => resolve({ code, signal }));
  // If it could not be started there is no `close`.
  child.once('error', (error) => child.pid === undefined && resolve({ error }));
  return { process: child, closed: promise };
}

/** Flags of this process that apply only to its own code. */
const ownFlags =
  /^(?:--test|--inspect|--watch|--eval|--print|--max-old-space-size|--max-semi-space-size|--import|-[epr]$)/;

/** Certificates that Node trusts for connections, and where it unpacks files; removed before user code runs. */
const kept = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE', 'TMPDIR'];

function listEnvironment({ confined }: SpawnOptions): NodeJS.ProcessEnv {
  if (confined === undefined) return withoutSettings(programEnvironment);
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function listFlags({ heapBytesMax, semiSpaceBytesMax, confined }: SpawnOptions): string[] {
  const flags = process.execArgv.filter((flag) => flag.startsWith('--') && !ownFlags.test(flag));
  if (heapBytesMax !== undefined) flags.push(`--max-old-space-size=${toMegabytes(heapBytesMax)}`);
  if (semiSpaceBytesMax !== undefined) flags.push(`--max-semi-space-size=${toMegabytes(semiSpaceBytesMax)}`);
  if (confined !== undefined) flags.push(...listWalls(confined));
  return flags;
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1_048_576);
}

function listWalls({ reads, writes }: Confinement): string[] {
  const loading = listLoadingPaths();
  return [
    '--disable-sigusr1',
    '--permission',
    '--allow-net',
    '--allow-worker',
    // Given up by `endLoading`, before user code runs.
    '--allow-child-process',
    // For the permissions granted here.
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
    ...[...listProgramFolders(), ...reads, ...writes, ...loading].map((path) => `--allow-fs-read=${path}`),
    ...[...writes, ...loading].map((path) => `--allow-fs-write=${path}`),
  ];
}

/** Installed as a package, its dependencies are beside it. */
function listProgramFolders(): string[] {
  const root = fileURLToPath(programRoot);
  const packages = /^.*?\/node_modules\//.exec(root)?.[0];
  const own = ['src', 'dist', 'package', 'node_modules', 'tools'].map((name) => `${root}${name}/`);
  // It can be a link.
  if (existsSync(`${root}node_modules`)) own.push(`${realpathSync(`${root}node_modules`)}/`);
  return [...own, `${root}package.json`, ...(packages === undefined ? [] : [packages]), process.execPath];
}

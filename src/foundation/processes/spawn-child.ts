/**
 * Starts the process of a child: with the flags of this process that are not for its own code, and its environment without
 * settings. One that is confined gets what is listed here and nothing else.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  listLoadingPaths,
  listProgramArguments,
  programRoot,
  shareCompileCache,
  startOwn,
  programEnvironment,
  withoutSettings,
} from '#base';
import type { ClosedProcess, StartedProcess } from './started-process.ts';

export interface SpawnOptions {
  /** A module that calls `runChild`. */
  readonly module: URL;
  /** Of the heap of JavaScript. V8 ends a process that needs more. */
  readonly heapBytesMax?: number;
  /** Of what JavaScript has just made: less makes a process smaller, and collecting garbage more frequent. */
  readonly semiSpaceBytesMax?: number;
  /** Open files that it gets as descriptors from `firstPassedFd` on; `pipe` for a connection to this process. */
  readonly passed?: readonly (number | 'pipe')[];
  /** Where what it prints goes: into the log, under its name (default), or to where this process prints. */
  readonly output?: 'log' | 'inherit';
  /** Without it, the process may do what its user may. */
  readonly confined?: Confinement | undefined;
}

/**
 * What a process may reach that is confined by Node's permission model, beside the files of the program: it loads no native
 * code, has no debugger, not even by a signal, and starts no other process once it has called `endLoading`.
 */
export interface Confinement {
  /** Folders and files. Those that are written are read as well. */
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
  // Without a process there is no `close`.
  child.once('error', (error) => child.pid === undefined && resolve({ error }));
  return { process: child, closed: promise };
}

/** Flags of this process that are for its own code only. */
const ownFlags =
  /^(?:--test|--inspect|--watch|--eval|--print|--max-old-space-size|--max-semi-space-size|--import|-[epr]$)/;

/** Certificates that Node trusts for what the process connects to, and where it unpacks; gone before code of users runs. */
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
    // Given up by `endLoading`, before the code of users runs.
    '--allow-child-process',
    // Of what is allowed here.
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
    ...[...listProgramFolders(), ...reads, ...writes, ...loading].map((path) => `--allow-fs-read=${path}`),
    ...[...writes, ...loading].map((path) => `--allow-fs-write=${path}`),
  ];
}

/** Installed as a package, what it depends on is beside it. */
function listProgramFolders(): string[] {
  const root = fileURLToPath(programRoot);
  const packages = /^.*?\/node_modules\//.exec(root)?.[0];
  const own = ['src', 'dist', 'package', 'node_modules', 'tools'].map((name) => `${root}${name}/`);
  // It can be a link.
  if (existsSync(`${root}node_modules`)) own.push(`${realpathSync(`${root}node_modules`)}/`);
  return [...own, `${root}package.json`, ...(packages === undefined ? [] : [packages]), process.execPath];
}

/**
 * The SDKs of Cloudflare against a server: each program of `sdk/` makes the calls that the server serves, and reports
 * whether each succeeded.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { GatehouseServer } from './server.ts';
import { replaceSdk } from './services.ts';
import { BuildError, go } from './sources.ts';

export interface SdkResult {
  readonly sdk: string;
  readonly calls: readonly { readonly what: string; readonly problem: string | null }[];
}

interface Sdk {
  readonly label: string;
  /** Of the folder, or file, below `sdk/`, and below `walk/` if it has one there. */
  readonly program: string;
  /** The command that runs the program at a path; throws a `BuildError` if it cannot be made. */
  prepare(path: string, cache: string): readonly string[];
}

const programs = join(import.meta.dirname, 'sdk');

export const sdks: readonly Sdk[] = [
  goSdk('go-0', { module: 'github.com/cloudflare/cloudflare-go', version: 'v0.117.0' }),
  goSdk('go-7', { module: 'github.com/cloudflare/cloudflare-go/v7', version: 'v7.7.0' }),
  {
    label: 'cloudflare 5.9.0 (Python)',
    program: 'python.py',
    prepare: (path, cache) => [installPython(cache, '5.9.0'), '-W', 'ignore', path],
  },
  {
    label: 'cloudflare 7.3.0 (TypeScript)',
    program: 'typescript.ts',
    prepare: (path) => [process.execPath, path],
  },
];

/** Names of SDKs have `only` in them: `sdk` for all, `sdk go-7` for one. */
export async function runSdks(
  server: GatehouseServer,
  { only, cache }: { readonly only: string; readonly cache: string },
): Promise<SdkResult[]> {
  const results: SdkResult[] = [];
  for (const { label, program, prepare } of sdks) {
    if (!`sdk ${program}`.includes(only)) continue;
    const zone = await server.createZone('enterprise');
    const calls = await run(server, zone, prepare(join(programs, program), cache));
    const failed = calls.filter(({ problem }) => problem !== null).length;
    console.error(`clients: ${label}: ${calls.length} calls, ${failed} failed`);
    results.push({ sdk: label, calls });
  }
  return results;
}

async function run(
  { facts: { api, token, account_id } }: GatehouseServer,
  zone: { readonly id: string; readonly name: string },
  [command, ...args]: readonly string[],
): Promise<SdkResult['calls']> {
  const child = spawn(command!, args, {
    env: {
      ...process.env,
      GATEHOUSE_API: api,
      GATEHOUSE_TOKEN: token,
      GATEHOUSE_ACCOUNT: account_id,
      GATEHOUSE_ZONE: zone.id,
      GATEHOUSE_ZONE_NAME: zone.name,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [written, [status]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const lines = written.split('\n').filter((line) => line !== '');
  const calls = lines.map((line) => JSON.parse(line) as SdkResult['calls'][number]);
  if (status === 0 && calls.length > 0) return calls;
  return [...calls, { what: 'the program', problem: `it ended with ${status} after ${calls.length} calls` }];
}

function goSdk(
  program: string,
  { module, version }: { readonly module: string; readonly version: string },
): Sdk {
  const label = `cloudflare-go ${version.slice(1)}`;
  return {
    label,
    program,
    prepare: (path, cache) => [buildGo(path, { module, version, cache })],
  };
}

interface GoBuild {
  readonly module: string;
  readonly version: string;
  readonly cache: string;
}

/** Returns the path of the program; `folder` has its source. */
function buildGo(folder: string, { module, version, cache }: GoBuild): string {
  const source = join(folder, 'main.go');
  const program = `${basename(dirname(folder))}-${basename(folder)}`;
  const code = readFileSync(source, 'utf8');
  const digest = hash('sha256', code, 'hex').slice(0, 8);
  const path = join(cache, 'bin', `${program}@${version}-${digest}`);
  if (existsSync(path)) return path;
  console.error(`clients: building ${program} with ${module} ${version}`);
  const directory = join(cache, 'src', program);
  mkdirSync(directory, { recursive: true });
  mkdirSync(join(cache, 'bin'), { recursive: true });
  copyFileSync(source, join(directory, 'main.go'));
  writeFileSync(join(directory, 'go.mod'), `module sdk\n\ngo 1.24\n\nrequire ${module} ${version}\n`);
  go(['mod', 'tidy'], directory);
  const services = Array.from(code.matchAll(/cloudflare-go\/v\d+\/(\w+)"/g), ([, service]) => service!);
  if (services.length > 0) replaceSdk(directory, module, new Set(services));
  const unfinished = `${path}.tmp`;
  go(['build', '-mod=mod', '-buildvcs=false', '-o', unfinished, '.'], directory);
  renameSync(unfinished, path);
  return path;
}

/** Python of an environment that has the SDK. */
function installPython(cache: string, version: string): string {
  const directory = join(cache, `python-${version}`);
  const python = join(directory, 'bin', 'python3');
  const mark = join(directory, 'installed');
  if (existsSync(mark)) return python;
  const command = (path: string, args: readonly string[]): void => {
    const { status, stderr, error } = spawnSync(path, args, { encoding: 'utf8' });
    if (status !== 0)
      throw new BuildError(`${path} ${args.join(' ')}: ${error?.message ?? stderr.trim().slice(-500)}`);
  };
  command('python3', ['-m', 'venv', directory]);
  command(python, ['-m', 'pip', 'install', '--quiet', `cloudflare==${version}`]);
  writeFileSync(mark, '');
  return python;
}

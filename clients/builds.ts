/**
 * External programs, built with Go and kept in a cache directory.
 *
 * The Cloudflare provider is built as a release, from its tag. Its module path has no major version, so Go cannot fetch
 * a release from a module proxy, only single commits that were requested before. If the repository cannot be reached,
 * the commit nearest to the release is built instead, and the report says so. Another source can be given for each
 * program: another version, or a directory with a checkout.
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { keepServices } from './services.ts';
import { BuildError, cloneRelease, downloadModule, go, type ModuleVersion } from './sources.ts';

interface Program extends ModuleVersion {
  /** The proxy's version, as shown in the report; and for the columns of its tables. */
  readonly label: string;
  readonly short: string;
  /** The release to build instead, if its tag is available. */
  readonly release?: string;
  readonly packagePath: string;
  readonly executable: string;
  /** The only services that are registered: all of them take an hour to build, and gigabytes of memory. */
  readonly services?: readonly string[];
}

const providerModule = 'github.com/cloudflare/terraform-provider-cloudflare';
export const providerRepository = `https://${providerModule}`;

/** For provider 5: the services whose resources are tested. */
const services = [
  'access_rule',
  'account',
  'account_token',
  'account_api_token_permission_groups',
  'api_token',
  'api_token_permission_groups',
  'd1_database',
  'filter',
  'firewall_rule',
  'list',
  'list_item',
  'load_balancer',
  'load_balancer_monitor',
  'load_balancer_pool',
  'logpush_job',
  'notification_policy',
  'notification_policy_webhooks',
  'page_rule',
  'queue',
  'queue_consumer',
  'r2_bucket',
  'rate_limit',
  'ruleset',
  'url_normalization_settings',
  'user_agent_blocking_rule',
  'worker',
  'worker_version',
  'workers_cron_trigger',
  'workers_deployment',
  'workers_kv',
  'workers_kv_namespace',
  'workers_route',
  'workers_script',
  'zone',
  'zone_lockdown',
  'zone_setting',
  'zone_subscription',
];

const provider = {
  module: providerModule,
  packagePath: '.',
  executable: 'terraform-provider-cloudflare',
} as const;

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
    ...provider,
    label: 'provider 4 of 2024-12-09 (commit 1c39e979c0c2, 4.48 in development)',
    short: '4.48-dev',
    release: 'v4.52.8',
    version: 'v1.18.2-0.20241209015037-1c39e979c0c2',
    sum: 'h1:UKwUdFc2Ob3Mu7+HLalB1R3veO0x6/uhayqvwkWL1b0=',
  },
  'provider-5': {
    ...provider,
    label: 'provider 5 of 2026-08-24 (commit 4f360d592a7d, 5.24.0 and what followed)',
    short: '5.24.0+',
    release: 'v5.22.0',
    version: 'v0.0.0-20260824180050-4f360d592a7d',
    sum: 'h1:LJdO8KLQB9tIgKEeEzYtiVAQMr+RNCM7cwBchd2hZ7k=',
    services,
  },
  'provider-3': {
    ...provider,
    label: 'provider with the legacy managed rules of 2020-11-26 (commit 995f63ac2526, 2.14 in development)',
    short: '2.14-dev',
    release: 'v3.35.0',
    version: 'v1.18.2-0.20201126031502-995f63ac2526',
    sum: 'h1:IlMiMkvhir+6X9/CM9b/89yiqFAz2SLZDAyNu/F8RhI=',
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

export interface Built extends Pick<Program, 'label' | 'short'> {
  readonly path: string;
  /** Why it is not the release that it stands for. */
  readonly insteadOf?: string;
}

export interface BuildOptions {
  readonly cache: string;
  /** A version of the module, or a directory with its sources. */
  readonly from?: string | undefined;
  /** The repository with the tags of the provider, in a form that git accepts. */
  readonly repository: string;
}

/** Throws a `BuildError` that says what to install. */
export function checkGo(): void {
  const { status, error } = spawnSync('go', ['version'], { encoding: 'utf8' });
  if (error === undefined && status === 0) return;
  throw new BuildError(
    'Go is not installed: `go version` did not run. Install Go 1.24 or newer, put it in PATH and run this again.',
  );
}

/** An installed terraform or tofu. */
export function useInstalled(path: string): Built {
  const { status, stdout } = spawnSync(path, ['version'], {
    encoding: 'utf8',
    env: { ...process.env, CHECKPOINT_DISABLE: '1' },
  });
  if (status !== 0) throw new BuildError(`\`${path} version\` did not run`);
  const [label = path] = stdout.split('\n');
  return { label, short: label, path };
}

/** Builds the program unless the cache has it. */
export function build(name: ProgramName, { cache, from, repository }: BuildOptions): Built {
  const program: Program = programs[name];
  if (from !== undefined) return buildFrom(name, from, cache);
  if (program.release === undefined) return buildVersion(name, program, cache);
  try {
    return buildRelease(name, program.release, { cache, repository });
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    const insteadOf = `${program.short} stands for ${program.release}, which could not be loaded: ${error.message}`;
    console.error(`clients: ${insteadOf}`);
    return { ...buildVersion(name, program, cache), insteadOf };
  }
}

function buildRelease(
  name: ProgramName,
  tag: string,
  { cache, repository }: Pick<BuildOptions, 'cache' | 'repository'>,
): Built {
  const program: Program = programs[name];
  const sources = join(cache, 'src', name);
  const short = tag.slice(1);
  const path = join(cache, 'bin', `${name}@${tag}`, program.executable);
  if (existsSync(path)) return { label: `provider ${short}`, short, path };
  console.error(`clients: fetching ${repository} at ${tag}`);
  const { directory, commit } = cloneRelease({ repository, tag }, sources);
  const label = `provider ${short} (commit ${commit.slice(0, 12)})`;
  compile(program, { label, sources: directory, path });
  return { label, short, path };
}

function buildVersion(name: ProgramName, program: Program, cache: string): Built {
  const { label, short, module, version } = program;
  const path = join(cache, 'bin', `${name}@${version}${describeServices(program)}`, program.executable);
  if (existsSync(path)) return { label, short, path };
  console.error(`clients: fetching ${module}@${version}`);
  const sources = downloadModule(program, join(cache, 'src', `${name}@${version}`));
  compile(program, { label, sources, path });
  return { label, short, path };
}

/** A build with other services is a different program. */
function describeServices({ services: kept }: Program): string {
  return kept === undefined ? '' : `-${hash('sha256', kept.join(), 'hex').slice(0, 8)}`;
}

/** A checkout may have changed since it was built; Go knows. */
function buildFrom(name: ProgramName, from: string, cache: string): Built {
  const { sum: _, ...program }: Program = programs[name];
  const label = `${name} of ${from}`;
  if (!existsSync(from)) return buildVersion(name, { ...program, label, short: from, version: from }, cache);
  const path = join(cache, 'bin', `${name}@checkout`, program.executable);
  const { services: __, ...whole } = program;
  compile(whole, { label, sources: resolve(from), path });
  return { label, short: basename(from), path };
}

interface Compilation {
  readonly label: string;
  readonly sources: string;
  readonly path: string;
}

function compile(program: Program, { label, sources, path }: Compilation): void {
  console.error(`clients: building ${label}`);
  if (program.services !== undefined) keepServices(sources, program.services);
  mkdirSync(join(path, '..'), { recursive: true });
  const unfinished = `${path}.tmp`;
  go(['build', '-buildvcs=false', '-o', unfinished, program.packagePath], sources);
  renameSync(unfinished, path);
}

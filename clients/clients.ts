/**
 * Real clients against a real server: OpenTofu with three generations of the Cloudflare provider, and cf-terraforming, built
 * from their releases or from the Go module proxy. `--help` has the options.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type AsCodeResult,
  type CaseResult,
  failuresOf,
  formatTables,
  type GeneratedResult,
  type MigrationResult,
  type Report,
} from './report.ts';
import {
  build,
  type Built,
  checkGo,
  type ProgramName,
  programNames,
  providerRepository,
  useInstalled,
} from './builds.ts';
import { BuildError } from './sources.ts';
import { generateWithCfTerraforming, generateWithGatehouse, generateWithTofu, runAsCode } from './as-code.ts';
import { type ResourceCase, runCase } from './case.ts';
import { runGenerated } from './generated.ts';
import { runMigration } from './procedure.ts';
import { runSite, type SiteResult } from './site.ts';
import { changingRuleCases } from './resources/changing-rules.ts';
import { firewallCases } from './resources/firewall.ts';
import { listCases } from './resources/lists.ts';
import { previousCases } from './resources/previous.ts';
import { provider5Cases } from './resources/provider-5.ts';
import { rulesetCases } from './resources/rulesets.ts';
import { settingCases } from './resources/settings.ts';
import { tellingCases } from './resources/telling.ts';
import { tokenCases } from './resources/tokens.ts';
import { toolCases } from './resources/tools-and-balancers.ts';
import { workerCases } from './resources/workers.ts';
import { zoneCases } from './resources/zones.ts';
import { runSdks } from './sdks.ts';
import { runWalks } from './walk.ts';
import { GatehouseServer } from './server.ts';
import { Tunnel } from './tunnel.ts';
import { type Setting, Workspace } from './workspace.ts';

const help = `usage: npm run clients -- [options]

Builds OpenTofu, three generations of the Cloudflare provider and cf-terraforming with Go, starts gatehouse serve, and runs
for every resource: apply, plan, change, plan, import, destroy; then the procedure for configuration as code, what
gatehouse terraform generate prints for each provider, and a site that is tried with requests.
Needs Go 1.24 or newer, a Go module proxy, and git. The first run builds for several minutes. Releases of the provider are
fetched by their tags; where that is not possible, the nearest commit that the proxy has is built instead.

  --only TEXT            only cases whose name has the text (\`as-code\` for the procedure, \`generated\` for
                         what gatehouse terraform prints, \`site\` for the site, \`procedure\` for plans around a
                         migration, \`sdk\` for the SDKs for Go, Python and TypeScript, \`walk\` for all operations
                         of each SDK that are served)
  --without PROGRAM      leave a program out: ${programNames.join(', ')}
  --from PROGRAM=SOURCE  another version of the program's module, or a directory with a checkout of its sources
  --terraform PATH       an installed terraform or tofu, instead of building OpenTofu
  --repository URL       where the tags of the provider are (${providerRepository})
  --cache DIRECTORY      where sources and programs are kept (.gatehouse/clients)
  --write                put the table into docs/reference/clients.md
  --keep                 keep the directory of the run, with configurations, states and data
  --help                 this text
`;

const cases: readonly ResourceCase[] = [
  ...firewallCases,
  ...zoneCases,
  ...settingCases,
  ...tokenCases,
  ...listCases,
  ...rulesetCases,
  ...previousCases,
  ...provider5Cases,
  ...changingRuleCases,
  ...toolCases,
  ...tellingCases,
  ...workerCases,
];
const root = join(import.meta.dirname, '..');

interface Options {
  readonly only: string;
  readonly without: ReadonlySet<string>;
  readonly from: ReadonlyMap<string, string>;
  readonly cache: string;
  readonly repository: string;
  readonly terraform?: string | undefined;
  readonly keep: boolean;
}

function programNamed(name: string, option: string): ProgramName {
  if (programNames.includes(name as ProgramName)) return name as ProgramName;
  throw new TypeError(`--${option} takes one of ${programNames.join(', ')}: ${name}`);
}

function readOptions(): Options & { readonly help: boolean; readonly write: boolean } {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      without: { type: 'string', multiple: true, default: [] },
      from: { type: 'string', multiple: true, default: [] },
      terraform: { type: 'string' },
      repository: { type: 'string', default: providerRepository },
      cache: { type: 'string', default: join(root, '.gatehouse', 'clients') },
      write: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const from = values.from.map((text) => {
    const [name = '', source = ''] = text.split(/=(.*)/s);
    if (source === '') throw new TypeError(`--from takes PROGRAM=SOURCE: ${text}`);
    return [programNamed(name, 'from'), source] as const;
  });
  const without = new Set(values.without.map((name) => programNamed(name, 'without')));
  return { ...values, without, from: new Map(from) };
}

interface Programs {
  readonly built: ReadonlyMap<ProgramName, Built>;
  readonly missing: readonly string[];
  readonly failures: readonly string[];
}

/** A program that cannot be built does not prevent the others from running, but the run has failed. */
function buildAll({ without, from, cache, repository, terraform }: Options): Programs {
  const built = new Map<ProgramName, Built>();
  const missing: string[] = [];
  const failures: string[] = [];
  for (const name of programNames) {
    if (without.has(name)) {
      missing.push(`${name} (left out with --without)`);
      continue;
    }
    try {
      const program =
        name === 'tofu' && terraform !== undefined
          ? useInstalled(terraform)
          : build(name, { cache, repository, from: from.get(name) });
      built.set(name, program);
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
      missing.push(`${name} (could not be built)`);
      failures.push(
        `${name}: ${error.message}\nGive another source with --from ${name}=SOURCE, or leave it out with --without ${name}.`,
      );
    }
  }
  return { built, missing, failures };
}

async function runCases(setting: Setting, { built }: Programs, only: string): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const [index, each] of cases.entries()) {
    const provider = built.get(each.provider);
    if (provider === undefined || !each.name.includes(only)) continue;
    const zone = await setting.server.createZone(each.plan);
    const workspace = new Workspace(setting, `case-${index}`, provider.path);
    const facts = {
      zone,
      accountId: setting.server.facts.account_id,
      server: setting.server,
      isStandIn: provider.insteadOf !== undefined,
    };
    const outcomes = await runCase(each, workspace, facts);
    const isOk = [...outcomes.values()].every((outcome) => typeof outcome === 'string');
    console.error(`clients: ${each.name}, ${provider.short}: ${isOk ? 'ok' : 'FAILED'}`);
    results.push({ name: each.name, client: provider.short, outcomes });
  }
  return results;
}

async function runProcedures(setting: Setting, { built }: Programs, only: string): Promise<AsCodeResult[]> {
  const [old, current] = [built.get('provider-3'), built.get('provider-4')];
  if (old === undefined || current === undefined || !'as-code'.includes(only)) return [];
  const providers = { old: old.path, current: current.path };
  const results: AsCodeResult[] = [];
  const cfTerraforming = built.get('cf-terraforming');
  const generators = [
    { name: 'tofu', label: 'tofu plan -generate-config-out', generate: generateWithTofu },
    {
      name: 'gatehouse',
      label: 'gatehouse terraform generate',
      generate: generateWithGatehouse(setting),
    },
    ...(cfTerraforming === undefined
      ? []
      : [
          {
            name: 'cf-terraforming',
            label: 'cf-terraforming',
            generate: generateWithCfTerraforming(cfTerraforming.path, setting.tofuPath),
          },
        ]),
  ];
  for (const { name, label, generate } of generators) {
    const outcomes = await runAsCode(setting, providers, { name, generate });
    results.push({ generator: label, outcomes });
  }
  return results;
}

async function runGeneratedCases(
  setting: Setting,
  { built }: Programs,
  only: string,
): Promise<GeneratedResult[]> {
  const results: GeneratedResult[] = [];
  for (const provider of ['provider-3', 'provider-4', 'provider-5'] as const) {
    const client = built.get(provider);
    if (client === undefined || !'generated'.includes(only)) continue;
    // The substitute for provider 3 has no rulesets.
    if (provider === 'provider-3' && client.insteadOf !== undefined) continue;
    for (const scope of ['zone', 'account'] as const) {
      const outcomes = await runGenerated(setting, { scope, provider, providerPath: client.path });
      results.push({ scope, client: client.short, outcomes });
    }
  }
  return results;
}

async function runMigrations(
  setting: Setting,
  { built }: Programs,
  only: string,
): Promise<MigrationResult[]> {
  const results: MigrationResult[] = [];
  for (const provider of ['provider-3', 'provider-4', 'provider-5'] as const) {
    const client = built.get(provider);
    if (client === undefined || !'procedure'.includes(only)) continue;
    const outcomes = await runMigration(setting, { provider, path: client.path });
    results.push({ client: client.short, outcomes });
  }
  return results;
}

async function runSiteCase(
  setting: Setting,
  { built }: Programs,
  only: string,
): Promise<SiteResult | undefined> {
  const provider = built.get('provider-5');
  return provider === undefined || !'site'.includes(only) ? undefined : runSite(setting, provider.path);
}

type Outcome = Report & { readonly failures: readonly string[] };

const nothing: Report = {
  cases: [],
  asCode: [],
  generated: [],
  procedures: [],
  sdks: [],
  walks: [],
  missing: [],
  programs: [],
  insteadOf: [],
};

async function run(options: Options): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'));
  try {
    // The SDKs need no Terraform, which takes minutes to build.
    if (/^(?:sdk|walk)\b/.test(options.only)) return await runOnlySdks(directory, options);
    return await runAll(directory, options);
  } finally {
    if (options.keep) console.error(`clients: kept ${directory}`);
    else rmSync(directory, { recursive: true, force: true });
  }
}

async function runOnlySdks(directory: string, options: Options): Promise<Outcome> {
  await using server = await GatehouseServer.start(join(directory, 'server'));
  const report: Report = {
    ...nothing,
    sdks: await runSdks(server, options),
    walks: await runWalks(directory, options),
  };
  return { ...report, failures: failuresOf(report) };
}

async function runAll(directory: string, options: Options): Promise<Outcome> {
  const built = buildAll(options);
  const tofu = built.built.get('tofu');
  const programs = [...built.built.values()].map(({ label }) => label);
  const insteadOf = [...built.built.values()].flatMap(({ insteadOf: line }) => line ?? []);
  const { missing, failures } = built;
  if (tofu === undefined) return { ...nothing, missing, programs, insteadOf, failures };
  await using server = await GatehouseServer.start(join(directory, 'server'), [
    '--allow-private-origins',
    'true',
    '--workers-domain',
    'workers.example',
  ]);
  await using tunnel = await Tunnel.open(Number(new URL(server.facts.api_https).port));
  const setting: Setting = { server, tunnel, tofuPath: tofu.path, directory };
  const report: Report = {
    cases: await runCases(setting, built, options.only),
    asCode: await runProcedures(setting, built, options.only),
    generated: await runGeneratedCases(setting, built, options.only),
    procedures: await runMigrations(setting, built, options.only),
    sdks: await runSdks(server, options),
    walks: await runWalks(directory, options),
    site: await runSiteCase(setting, built, options.only),
    missing,
    programs,
    insteadOf,
  };
  return { ...report, failures: [...failures, ...failuresOf(report)] };
}

const mark = '<!-- written by npm run clients -->';

/** The text of the page stays; the generated part is replaced. */
function writeDocument(tables: string): void {
  const path = join(root, 'docs', 'reference', 'clients.md');
  const [words] = readFileSync(path, 'utf8').split(mark);
  const given = process.argv.slice(2).map((argument) => ` ${argument}`);
  writeFileSync(path, `${words}${mark}\n\nCommand: \`npm run clients --${given.join('')}\`.\n\n${tables}\n`);
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options.help) {
    console.log(help);
    return 0;
  }
  checkGo();
  const { failures, ...report } = await run(options);
  const tables = formatTables(report);
  console.log(tables);
  for (const failure of failures) console.error(`\n${failure}`);
  if (options.write) writeDocument(tables);
  const { cases: tried, asCode, generated, procedures, sdks, walks, site } = report;
  const lists = [tried, asCode, generated, procedures, sdks, walks];
  const count = lists.reduce((sum, { length }) => sum + length, site === undefined ? 0 : 1);
  console.error(`\nclients: cases ${count}, failures ${failures.length}`);
  return failures.length === 0 && count > 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof BuildError) && !(error instanceof TypeError)) throw error;
  console.error(`clients: ${error.message}`);
  process.exitCode = 2;
}

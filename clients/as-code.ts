/**
 * The contract's procedure for configuration as code, from the legacy managed rules to a ruleset resource: the zone is
 * configured with the old provider, migrated through the API, and its configuration is carried over to provider 4.
 *
 * The old resources leave the state before anything is planned: their interface is closed once the zone has migrated, so
 * the old provider cannot read them, and provider 4 does not know them.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Facts, type Outcome, outcomeOf } from './case.ts';
import { runGatehouse } from './generated.ts';
import { cloudflarePackage, firstOf, wafGroup, wafPackage, wafRule } from './resources/previous.ts';
import { CommandError, type Setting, Workspace } from './workspace.ts';

const oldAddresses = ['cloudflare_waf_package.waf', 'cloudflare_waf_group.waf', 'cloudflare_waf_rule.waf'];
const phase = 'http_request_firewall_managed';
const completeMsMax = 60_000;
const completePollMs = 200;

export interface Providers {
  readonly old: string;
  readonly current: string;
}

/** Writes the configuration of the zone's rulesets of the managed phase into a file, and returns its address. */
export type Generate = (workspace: Workspace, facts: Facts, file: string) => Promise<string>;

export const asCodeSteps = [
  'configure with the old provider',
  'migrate through the API',
  'no plan while the old resources are in the state',
  'generate the ruleset',
  'state rm -dry-run',
  'state rm',
  'import',
  'plan empty',
] as const;

export type AsCodeStep = (typeof asCodeSteps)[number];

export async function runAsCode(
  setting: Setting,
  providers: Providers,
  { name, generate }: { readonly name: string; readonly generate: Generate },
): Promise<Map<AsCodeStep, Outcome>> {
  const { server } = setting;
  const zone = await server.createZone('business');
  const facts: Facts = { server, zone, accountId: server.facts.account_id, isStandIn: false };
  const workspace = new Workspace(setting, `as-code-${name}`, providers.old);
  let address = '';
  const actions: Readonly<Record<AsCodeStep, () => Promise<unknown>>> = {
    'configure with the old provider': () => configure(workspace, facts),
    'migrate through the API': () => migrate(facts),
    'no plan while the old resources are in the state': async () => {
      await expectRefusal(workspace, /\b1101\b/);
      workspace.useProvider(providers.current);
      await expectRefusal(workspace, /cloudflare_waf_/);
    },
    'generate the ruleset': async () => {
      const apart = new Workspace(setting, `as-code-${name}-generated`, providers.current);
      address = await generate(apart, facts, 'generated.tf');
      workspace.write('ruleset.tf', readFileSync(join(apart.directory, 'generated.tf'), 'utf8'));
    },
    'state rm -dry-run': async () => {
      const told = await workspace.tofu(['state', 'rm', '-dry-run', ...oldAddresses]);
      for (const old of oldAddresses) {
        if (!told.includes(old)) throw new CommandError(`the dry run does not name ${old}:\n${told}`);
      }
    },
    'state rm': async () => {
      await workspace.tofu(['state', 'rm', ...oldAddresses]);
      rmSync(join(workspace.directory, 'old.tf'));
    },
    import: async () =>
      workspace.tofu(['import', '-input=false', address, `zone/${zone.id}/${await entryPointOf(facts)}`]),
    'plan empty': () => workspace.expectNoChanges(),
  };
  const outcomes = new Map<AsCodeStep, Outcome>();
  for (const step of asCodeSteps) {
    const outcome = await outcomeOf(actions[step]);
    outcomes.set(step, outcome);
    if (outcome !== 'ok') break;
  }
  return outcomes;
}

/** The documentation says that the other order cannot work. */
async function expectRefusal(workspace: Workspace, reason: RegExp): Promise<void> {
  const outcome = await outcomeOf(() => workspace.expectNoChanges());
  if (typeof outcome !== 'string' && reason.test(outcome.failed)) return;
  const told = typeof outcome === 'string' ? 'it went well' : outcome.failed;
  throw new CommandError(`a plan was expected to fail with ${reason.source}: ${told}`);
}

async function configure(workspace: Workspace, facts: Facts): Promise<void> {
  await expectOk(facts, `PATCH /zones/${facts.zone.id}/settings/waf`, { value: 'on' });
  const group = await firstOf(facts, 'groups', cloudflarePackage);
  const rule = await firstOf(facts, 'rules', cloudflarePackage);
  const resources = [
    wafPackage(facts, 'low', 'simulate'),
    wafGroup(facts, group, 'on'),
    wafRule(facts, rule, 'block'),
  ];
  workspace.write('old.tf', resources.join('\n'));
  await workspace.apply();
  await workspace.expectNoChanges();
}

export async function migrate(facts: Facts): Promise<void> {
  const zone = `/zones/${facts.zone.id}`;
  const { compatible } = await expectOk(facts, `GET ${zone}/waf_migration/check?phase_two=1`);
  if (compatible !== true) throw new Error('the check says that the zone cannot migrate');
  const configuration = await expectOk(facts, `GET ${zone}/waf_migration/config?phase_two=1`);
  const entryPoint = `${zone}/rulesets/phases/${phase}/entrypoint?waf_migration=pending&phase_two=1`;
  await expectOk(facts, `PUT ${entryPoint}`, configuration);
  for (const deadline = Date.now() + completeMsMax; Date.now() < deadline; await sleep(completePollMs)) {
    const status = await expectOk(facts, `GET ${zone}/waf_migration/status`);
    if (status['migration_state'] === 'complete') return;
  }
  throw new Error(`the migration is not complete after ${completeMsMax} ms`);
}

async function expectOk(
  { server }: Facts,
  operation: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const { status, result, errors } = await server.call(operation, body);
  if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(errors)}`);
  return result as Record<string, unknown>;
}

async function entryPointOf(facts: Facts): Promise<string> {
  const { id } = await expectOk(facts, `GET /zones/${facts.zone.id}/rulesets/phases/${phase}/entrypoint`);
  return String(id);
}

/** With an import block: tofu reads the ruleset and writes the configuration that describes it. */
export const generateWithTofu: Generate = async (workspace, facts, file) => {
  const address = 'cloudflare_ruleset.managed';
  const id = `zone/${facts.zone.id}/${await entryPointOf(facts)}`;
  workspace.write('import.tf', `import {\n  to = ${address}\n  id = "${id}"\n}\n`);
  await workspace.tofu(['plan', '-input=false', `-generate-config-out=${file}`]);
  if (!existsSync(join(workspace.directory, file))) throw new CommandError('tofu generated nothing');
  return address;
};

/** The command writes only the ruleset of the phase. */
export function generateWithGatehouse(setting: Setting): Generate {
  return async (workspace, { zone }, file) => {
    const filters = ['--provider', '4', '--resource-type', 'cloudflare_ruleset', '--phase', phase];
    workspace.write(file, await runGatehouse(workspace, setting, 'generate', [zone.name, ...filters]));
    return `cloudflare_ruleset.${phase}`;
  };
}

/** All rulesets of the zone are generated, and the one of the phase is kept. */
export function generateWithCfTerraforming(path: string, tofuPath: string): Generate {
  return async (workspace, facts, file) => {
    const schemas = JSON.parse(await workspace.tofu(['providers', 'schema', '-json'])) as {
      readonly provider_schemas: Readonly<Record<string, unknown>>;
    };
    const host = Object.keys(schemas.provider_schemas)[0]!.split('/')[0]!;
    const args = ['--resource-type', 'cloudflare_ruleset', '--zone', facts.zone.id];
    const where = ['--terraform-binary-path', tofuPath, '--terraform-install-path', workspace.directory];
    const text = await workspace.run(path, [
      'generate',
      ...args,
      ...where,
      '--provider-registry-hostname',
      host,
    ]);
    const kept = text
      .split(/^(?=resource ")/m)
      .filter((block) => new RegExp(`phase\\s*=\\s*"${phase}"`).test(block));
    if (kept.length !== 1)
      throw new CommandError(`${kept.length} rulesets of ${phase} were generated:\n${text}`);
    workspace.write(file, kept[0]!);
    const [, name] = /^resource "cloudflare_ruleset" "([^"]+)"/.exec(kept[0]!)!;
    return `cloudflare_ruleset.${name}`;
  };
}

/**
 * `gatehouse terraform generate` and `import-blocks`, read by the providers themselves: a zone and the account are
 * configured through the API, the output of the commands is imported, and the plan must be empty.
 */
import { join } from 'node:path';
import { type Outcome, outcomeOf } from './case.ts';
import { createAccountThings, createZoneThings } from './resources/generated.ts';
import type { ProviderName } from './builds.ts';
import { CommandError, type Setting, Workspace } from './workspace.ts';

export const generatedSteps = [
  'configure through the API',
  'generate',
  'import changes nothing',
  'plan empty',
] as const;
export type GeneratedStep = (typeof generatedSteps)[number];

export interface GeneratedRun {
  /** The arguments of the commands. */
  readonly scope: 'zone' | 'account';
  readonly provider: ProviderName;
  readonly providerPath: string;
}

const main = join(import.meta.dirname, '..', 'src', 'program', 'cli', 'main.ts');

export async function runGenerated(
  setting: Setting,
  { scope, provider, providerPath }: GeneratedRun,
): Promise<Map<GeneratedStep, Outcome>> {
  const { server } = setting;
  const zone = await server.createZone('enterprise');
  const workspace = new Workspace(setting, `generated-${scope}-${provider}`, providerPath);
  const actions: Readonly<Record<GeneratedStep, () => Promise<unknown>>> = {
    'configure through the API': () =>
      scope === 'zone'
        ? createZoneThings(server, zone)
        : createAccountThings(server, { zone, prefix: provider.replace('-', '_') }),
    generate: async () => {
      const what = [scope === 'zone' ? zone.name : 'account', '--provider', provider.slice(-1)];
      workspace.write('generated.tf', await runGatehouse(workspace, setting, 'generate', what));
      workspace.write('import.tf', await runGatehouse(workspace, setting, 'import-blocks', what));
    },
    'import changes nothing': () => importAll(workspace),
    'plan empty': () => workspace.expectNoChanges(),
  };
  const outcomes = new Map<GeneratedStep, Outcome>();
  for (const step of generatedSteps) {
    const outcome = await outcomeOf(actions[step]);
    outcomes.set(step, outcome);
    if (outcome !== 'ok') break;
  }
  return outcomes;
}

/** The output of the command. */
export function runGatehouse(
  workspace: Workspace,
  { server }: Setting,
  command: 'generate' | 'import-blocks',
  args: readonly string[],
): Promise<string> {
  const { api, token } = server.facts;
  const where = ['--api', api, '--token', token];
  return workspace.run(process.execPath, [main, 'terraform', command, ...args, ...where]);
}

interface Planned {
  readonly resource_changes?: readonly {
    readonly address: string;
    readonly change: { readonly actions: readonly string[]; readonly importing?: object };
  }[];
}

/** The plan is checked before it is applied: every resource is imported and none is changed. */
async function importAll(workspace: Workspace): Promise<void> {
  const plan = await workspace.tofu(['plan', '-input=false', '-out=import.plan']);
  const { resource_changes: changes = [] } = JSON.parse(
    await workspace.tofu(['show', '-json', 'import.plan']),
  ) as Planned;
  const wrong = changes.filter(
    ({ change }) => change.importing === undefined || change.actions.join() !== 'no-op',
  );
  if (changes.length === 0 || wrong.length > 0)
    throw new CommandError(
      `${changes.length} resources are planned; changed: ${wrong.map(({ address }) => address).join(', ')}\n${plan}`,
    );
  await workspace.tofu(['apply', '-input=false', 'import.plan']);
}

/** Shared by `terraform generate` and `terraform import-blocks`: their options, and their zone or account. */
import { ApiClient } from '../api/api-client.ts';
import { connectionOptions, readConnection } from '../api/connection.ts';
import { type Arguments, type Option, UsageError } from '../command.ts';
import { findAccount } from '../resources/path.ts';
import {
  type Provider,
  providers,
  readResources,
  type TerraformResource,
  resourceTypes,
  type TerraformScope,
} from './resources.ts';

export const terraformOptions = {
  provider: { value: providers.join('|'), choices: providers, help: 'major version of the provider (5)' },
  'resource-type': {
    value: 'TYPE',
    choices: resourceTypes,
    isRepeatable: true,
    help: 'only resources of this type, such as cloudflare_ruleset (may be repeated)',
  },
  phase: { value: 'PHASE', help: 'only the rulesets of this phase' },
  ...connectionOptions,
} as const satisfies Readonly<Record<string, Option>>;

export interface Selected {
  readonly provider: Provider;
  readonly resources: readonly TerraformResource[];
}

/** The zone or account that the command names, read through the API. */
export async function readSelected(args: Arguments, command: string): Promise<Selected> {
  const provider = (args.values['provider'] ?? '5') as Provider;
  const types = new Set(args.repeated['resource-type']);
  const { phase } = args.values;
  if (phase !== undefined && types.size > 0 && !types.has('cloudflare_ruleset'))
    throw new UsageError(
      `--phase applies to rulesets: add --resource-type cloudflare_ruleset or leave it out`,
    );
  using api = new ApiClient(readConnection(args, command));
  const scope = await findScope(api, args.positionals[0]!);
  const resources = await readResources(api, scope, { provider, types, phase });
  if (resources.length === 0)
    process.stderr.write(`gatehouse: the ${scope.level} has nothing of this kind\n`);
  return { provider, resources };
}

async function findScope(api: ApiClient, name: string): Promise<TerraformScope> {
  if (name === 'account') return { level: 'account', id: await findAccount(api) };
  return { level: 'zone', id: (await api.findZone(name)).id };
}

/**
 * `gatehouse terraform import-blocks`: import blocks for what a zone has, from which `terraform plan -generate-config-out`
 * writes the configuration.
 */
import { ApiClient } from '../api/api-client.ts';
import { connectionHelp, connectionOptions, readConnection } from '../api/connection.ts';
import { type Command, exitCodes } from '../command.ts';

type Provider = '4' | '5';

interface Block {
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

export const importBlocksCommand: Command = {
  name: 'terraform import-blocks',
  parameters: '<zone>',
  summary:
    'Print Terraform import blocks for the rulesets, firewall rules, filters and page rules of a zone.',
  details: `gatehouse terraform import-blocks shop.example --phase http_request_firewall_managed > import.tf
terraform plan -generate-config-out=generated.tf    # writes the configuration
terraform apply                                     # takes it into the state; nothing is changed

${connectionHelp}`,
  options: {
    provider: { value: '4|5', choices: ['4', '5'], help: 'major version of the provider (5)' },
    phase: { value: 'PHASE', help: 'only the ruleset of this phase' },
    ...connectionOptions,
  },
  async run(args) {
    const provider = (args.values['provider'] ?? '5') as Provider;
    const { phase } = args.values;
    using api = new ApiClient(readConnection(args, importBlocksCommand.name));
    const { id } = await api.findZone(args.positionals[0]!);
    const blocks = await listRulesets(api, id, { provider, phase });
    if (phase === undefined) blocks.push(...(await listOthers(api, id)));
    if (blocks.length === 0) process.stderr.write('the zone has nothing to import\n');
    process.stdout.write(blocks.map(writeBlock).join('\n'));
    return exitCodes.success;
  },
};

interface RulesetSummary {
  readonly id: string;
  readonly kind: string;
  readonly phase: string;
}

/** Managed rulesets belong to nobody who could import them. */
async function listRulesets(
  api: ApiClient,
  zoneId: string,
  { provider, phase }: { readonly provider: Provider; readonly phase: string | undefined },
): Promise<Block[]> {
  const rulesets = await api.get<readonly RulesetSummary[]>(`/zones/${zoneId}/rulesets`);
  const scope = provider === '4' ? 'zone' : 'zones';
  return rulesets
    .filter((ruleset) => ruleset.kind === 'zone' && (phase === undefined || ruleset.phase === phase))
    .map((ruleset) => ({
      type: 'cloudflare_ruleset',
      name: ruleset.phase,
      id: `${scope}/${zoneId}/${ruleset.id}`,
    }));
}

const others = [
  ['cloudflare_filter', 'filters'],
  ['cloudflare_firewall_rule', 'firewall/rules'],
  ['cloudflare_page_rule', 'pagerules'],
] as const;

async function listOthers(api: ApiClient, zoneId: string): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const [type, path] of others) {
    // Page rules come in one piece.
    const things =
      path === 'pagerules'
        ? await api.get<readonly { readonly id: string }[]>(`/zones/${zoneId}/${path}`)
        : await Array.fromAsync(api.list<{ readonly id: string }>(`/zones/${zoneId}/${path}`));
    blocks.push(...things.map(({ id }) => ({ type, name: `id_${id}`, id: `${zoneId}/${id}` })));
  }
  return blocks;
}

/** Ids and phases are words that need no quoting. */
function writeBlock({ type, name, id }: Block): string {
  return `import {\n  to = ${type}.${name}\n  id = "${id}"\n}\n`;
}

/** `gatehouse terraform generate`: the configuration of a zone or the account, for a provider of Terraform. */
import { connectionHelp } from '../api/connection.ts';
import { type Command } from '../command.ts';
import { writeBlock } from '../terraform/hcl.ts';
import { importBlocksCommand } from '../terraform/import-blocks.ts';
import { readSelected, terraformOptions } from '../terraform/selection.ts';
import { isImportable, toConfiguration, writeLeftOut, writeUnknown } from '../terraform/to-configuration.ts';

const generateCommand: Command = {
  name: 'terraform generate',
  parameters: '<zone-or-account>',
  summary: 'Print the configuration of a zone, or of the account, for Terraform.',
  details: `Rulesets, filters, firewall rules, page rules, URL normalization and settings of a zone; rulesets and lists of the account,
which is addressed as account. After gatehouse terraform import-blocks and terraform apply, a plan has no changes.

gatehouse terraform generate shop.example --provider 4 --resource-type cloudflare_ruleset --phase http_request_firewall_managed

${connectionHelp}`,
  options: terraformOptions,
  async run(args) {
    const { provider, resources } = await readSelected(args, generateCommand.name);
    const importable = resources.filter((resource) => isImportable(resource, provider));
    process.stderr.write(writeLeftOut(resources, provider));
    const addresses = new Set(importable.map(({ type, name }) => `${type}.${name}`));
    const blocks = importable.map((resource) => writeBlock(toConfiguration(resource, provider, addresses)));
    process.stdout.write(writeUnknown(resources) + blocks.join('\n'));
  },
};

export const terraformCommands: readonly Command[] = [generateCommand, importBlocksCommand];

/** `gatehouse terraform import-blocks`: import blocks for the resources of a zone or the account. */
import { connectionHelp } from '../api/connection.ts';
import { type Command } from '../command.ts';
import { readSelected, terraformOptions } from './selection.ts';
import type { TerraformResource } from './resources.ts';
import { isImportable, writeLeftOut } from './to-configuration.ts';

export const importBlocksCommand: Command = {
  name: 'terraform import-blocks',
  parameters: '<zone-or-account>',
  summary: 'Print Terraform import blocks for the resources of a zone or the account.',
  details: `Rulesets, filters, firewall rules, page rules, URL normalization and settings of a zone; rulesets and lists of the account,
which is addressed as account. The addresses are those of gatehouse terraform generate:

gatehouse terraform generate shop.example --phase http_request_firewall_managed > ruleset.tf
gatehouse terraform import-blocks shop.example --phase http_request_firewall_managed > import.tf
terraform apply                                     # imports them into the state; nothing is changed

${connectionHelp}`,
  options: terraformOptions,
  async run(args) {
    const { provider, resources } = await readSelected(args, importBlocksCommand.name);
    const importable = resources.filter((resource) => isImportable(resource, provider));
    process.stderr.write(writeLeftOut(resources, provider));
    process.stdout.write(importable.map(writeImport).join('\n'));
  },
};

/** Ids and names are words without special characters. */
function writeImport({ type, name, importId }: TerraformResource): string {
  return `import {\n  to = ${type}.${name}\n  id = "${importId}"\n}\n`;
}

/** `gatehouse owner reset`: new credentials for operators who have access to the machine but lost theirs. */
import { loadOwnerRenewal, readConfig } from '#server';
import { type Command } from '../command.ts';

export const ownerCommand: Command = {
  name: 'owner reset',
  parameters: '',
  summary: 'Give the owner a new key and a new token; the ones from the first start stop working.',
  details:
    'The server must not be running on the directory, and no host of the cluster. Other tokens stay as they are.',
  options: {
    data: { value: 'DIRECTORY', help: 'data directory (data)' },
    'cluster-file': {
      value: 'FILE',
      help: 'file that contains the URL of a cluster, in place of a directory',
    },
  },
  async run(args) {
    const config = readConfig({
      flags: args.values,
      file: undefined,
      environment: process.env,
      directory: process.cwd(),
    });
    const { email, key, token } = await (await loadOwnerRenewal())(config);
    process.stdout.write(`  owner    ${email}\n  token    ${token}\n  key      ${key}\n`);
  },
};

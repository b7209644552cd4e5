/** `gatehouse owner reset`: a way back in for those who have the machine but no credentials. */
import { readConfig, renewOwner } from '#server';
import { type Command, exitCodes } from './command.ts';

export const ownerCommand: Command = {
  name: 'owner reset',
  parameters: '',
  summary: 'Give the owner a new key and a new token; the ones from the first start stop working.',
  details: 'The server must not be running on the directory. Other tokens stay as they are.',
  options: { data: { value: 'DIRECTORY', help: 'where everything is kept (data)' } },
  async run(args) {
    const { data } = readConfig({
      flags: args.values,
      file: undefined,
      environment: process.env,
      directory: process.cwd(),
    }).settings;
    const { email, key, token } = await renewOwner(data);
    process.stdout.write(`  owner    ${email}\n  token    ${token}\n  key      ${key}\n`);
    return exitCodes.success;
  },
};

/** `gatehouse env`: the variables that make a client call a Gatehouse server. */
import { resolve } from 'node:path';
import { type Client, clients, writeClientSetup, type Reachable } from '#server';
import { readReadyOption } from '../api/connection.ts';
import { type Arguments, type Command, UsageError } from '../command.ts';

export const envCommand: Command = {
  name: 'env',
  parameters: '',
  summary: 'Print what to set so that the SDK, Terraform, wrangler or curl call this server.',
  details: `For a shell: eval "$(gatehouse env --for sdk --ready-file ready.json)"

Options override the ready file. Without --ready-file and --api, CLOUDFLARE_BASE_URL and
CLOUDFLARE_API_TOKEN name the server.`,
  options: {
    for: { value: clients.join('|'), choices: clients, help: 'the client (required)' },
    'ready-file': { value: 'FILE', help: 'the file that gatehouse serve --ready-file wrote' },
    api: { value: 'URL', help: 'base URL of the API, ending in /client/v4' },
    token: { value: 'TOKEN', help: 'token of the API' },
    'account-id': { value: 'ID', help: 'account, for clients that need it' },
    'ca-file': { value: 'FILE', help: 'certificate to trust, for HTTPS' },
  },
  async run(args) {
    const { for: client } = args.values;
    if (client === undefined) throw new UsageError(`gatehouse env needs --for ${clients.join('|')}`);
    process.stdout.write(writeClientSetup(client as Client, readReachable(args, 'env')));
  },
};

/** The server that the options of a command select. */
function readReachable({ values }: Arguments, command: string): Reachable {
  const { api, token, 'ready-file': file, 'account-id': account_id, 'ca-file': caFile } = values;
  const ready = readReadyOption(file);
  const { CLOUDFLARE_BASE_URL: fromEnvironment, CLOUDFLARE_API_TOKEN: tokenFromEnvironment } = process.env;
  const isFromEnvironment = api === undefined && file === undefined;
  const url = api ?? ready.api ?? fromEnvironment;
  if (url === undefined)
    throw new UsageError(`gatehouse ${command} needs --ready-file, --api, or CLOUDFLARE_BASE_URL`);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(`--api must be a URL such as http://127.0.0.1:8787/client/v4: ${url}`);
  }
  // Another server has another address, other secrets and another account.
  const { api: _, ...rest } = api === undefined ? ready : {};
  return {
    ...rest,
    api: url,
    ...(isFromEnvironment && tokenFromEnvironment !== undefined ? { token: tokenFromEnvironment } : {}),
    ...(token === undefined ? {} : { token }),
    ...(account_id === undefined ? {} : { account_id }),
    ...(caFile === undefined ? {} : { ca_file: resolve(caFile) }),
  };
}

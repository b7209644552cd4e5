import { resolve } from 'node:path';
import { type Arguments, type Command } from './command.ts';
import { hostWorker } from './host-worker.ts';
import { readWholeNumber } from './parse-arguments.ts';

const listenOptions = {
  port: { value: 'N', help: 'port to listen on, 0 for any free one (8787)' },
  host: { value: 'ADDRESS', help: 'address to listen on (127.0.0.1)' },
  'ready-file': { value: 'FILE', help: 'file for {"url"}, written as JSON when the server accepts requests' },
  durability: {
    value: 'disk|os',
    choices: ['disk', 'os'],
    help: 'disk: a response waits until its writes are on disk; os: until the kernel has them (disk)',
  },
} as const;

function listenSettings(args: Arguments) {
  return {
    port: readWholeNumber(args, 'port', { min: 0, max: 65_535 }) ?? 8787,
    host: args.values['host'] ?? '127.0.0.1',
    readyFile: args.values['ready-file'],
    durability: args.values['durability'] as 'disk' | 'os' | undefined,
  };
}

export const devCommand: Command = {
  name: 'dev',
  parameters: '[path]',
  summary: 'Run a Worker with its Durable Objects, and reload it whenever its code changes.',
  details: `path is a wrangler.jsonc, wrangler.json or wrangler.toml, a directory that contains one, or a module; the
current directory by default. For a bare module every exported class that extends DurableObject is bound
under its own name, with SQL storage.`,
  options: {
    ...listenOptions,
    'persist-to': {
      value: 'DIRECTORY',
      help: 'directory of the objects (.gatehouse/state beside the configuration)',
    },
    env: { value: 'NAME', help: 'environment of the configuration to run' },
    'no-watch': { help: 'do not reload when files change' },
  },
  run(args) {
    const { host, port, readyFile, durability } = listenSettings(args);
    const persistTo = args.values['persist-to'];
    return hostWorker({
      host,
      port,
      readyFile,
      showErrors: true,
      worker: {
        path: args.positionals[0] ?? '.',
        environment: args.values['env'],
        directory: persistTo === undefined ? undefined : resolve(persistTo),
        watch: !args.switches.has('no-watch'),
        durability,
      },
      greeting: (url) => `ready on ${url}`,
    });
  },
};

/** `gatehouse run`: a Worker in production, until the process receives a stop signal. */
import { resolve } from 'node:path';
import { loadRunProgram, readPorts, type RunProgram, settingFlags } from '#server';
import type { Arguments } from '../command.ts';
import {
  configurationOptions,
  createServingCommand,
  type ProgramCommand,
  toUsageError,
} from '../configured.ts';

const flags: readonly string[] = [
  'data',
  'host',
  'port',
  'https-port',
  'tls-cert',
  'tls-key',
  'tls-names',
  'admin-port',
  'admin-host',
  'trusted-proxies',
  'allow-private-origins',
  'object-hosts',
  'object-host-stuck',
  'object-statement-stuck',
  'object-host-bytes',
  'durability',
  'history-days',
  'ready-file',
  'log-level',
  'log-format',
  'access-log',
  'shutdown-grace',
  'watchdog',
];

export const workerOption = {
  value: 'PATH',
  isRepeatable: true,
  help: 'another Worker to run alongside, for service bindings and script_name',
} as const;

export const runWorkerCommand = createServingCommand({
  name: 'run',
  parameters: '[path]',
  summary: 'Run a Worker with its Durable Objects in production.',
  details: `path is a project, as for gatehouse dev. It is built, kept in the data directory as a version, and run; without a path, the version
that ran last is run. Every option can also be set in a configuration file and in the environment.

SIGHUP deploys the current state of the project, as gatehouse deploy does: the new version loads while the old one serves.
If that fails, nothing changes and the log has the reason. If it succeeds, requests in progress are answered,
WebSockets are closed with code 1012, and no connection is refused. gatehouse rollback goes back.

Each request is logged as a line on standard error. Health and metrics are on the admin port. gatehouse objects and
gatehouse backup work on the data directory while this runs.`,
  options: {
    ...configurationOptions,
    env: { value: 'NAME', help: 'environment of the configuration to run' },
    worker: workerOption,
    ...Object.fromEntries(flags.map((flag) => [flag, settingFlags[flag]!])),
  },
  describe(args) {
    const { env: _, ...values } = args.values;
    return { settings: { ...args, values }, program: describeProgram(args) };
  },
});

function describeProgram({ positionals: [path], values, repeated }: Arguments): ProgramCommand<RunProgram> {
  const workers = (repeated['worker'] ?? []).map((each) => resolve(each));
  const project =
    path === undefined ? undefined : { path: resolve(path), environment: values['env'], workers };
  return {
    async start(parts) {
      const loaded = await loadRunProgram();
      return await loaded.start({ ...parts, project }).catch((error: unknown) => {
        throw toUsageError(error);
      });
    },
    announce(program, { log, isAgain }) {
      log.info(isAgain ? 'ready again' : 'ready', { ...program.urls, version: program.version });
    },
    readPorts: ({ urls }) => readPorts({ api: urls.url, api_https: urls.url_https, admin: urls.admin }),
    getStuckMs: ({ settings }) => settings.objectHostStuck,
  };
}

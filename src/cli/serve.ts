/** `gatehouse serve`: the API, until the process is told to stop. */
import {
  clientSetup,
  type Config,
  ConfigurationError,
  createLog,
  type Log,
  Program,
  readConfig,
  type Ready,
  settingFlags,
  showConfig,
} from '#server';
import { type Arguments, type Command, exitCodes, UsageError } from './command.ts';
import { toldToStop } from './host-worker.ts';
import { version } from './version.ts';

export const serveCommand: Command = {
  name: 'serve',
  parameters: '',
  summary: 'Serve the firewall API; the first start makes an account, its owner and a zone per plan.',
  details: `Every option can also stand in a configuration file, as gatehouse.toml with https_port = 8443, and in the environment, as
GATEHOUSE_HTTPS_PORT=8443. A flag counts more than the environment, and that more than the file.

The credentials of the owner are told once, at the first start: on standard output, or in the ready file if one is
wanted. A later start writes them into the ready file again if the one of the start before is still there.`,
  options: {
    config: { value: 'FILE', help: 'configuration file, TOML or JSON (./gatehouse.toml if there is one)' },
    'print-config': { help: 'print the settings in force and where they come from, and do not start' },
    ...settingFlags,
  },
  async run(args) {
    const config = configFrom(args);
    if (args.switches.has('print-config')) {
      process.stdout.write(showConfig(config));
      return exitCodes.success;
    }
    const log = logFor(config);
    process.on('unhandledRejection', (error) =>
      log.error('a promise was rejected and nobody waited', { error }),
    );
    const stop = toldToStop();
    await using program = await Program.start({ config, log, version: version() });
    const { ready, isFirst } = program;
    const { readyFile } = config.settings;
    process.stdout.write(greeting({ ready, isFirst, readyFile }));
    const { api, api_https: https, admin } = ready;
    log.info('ready', { api, https, admin });
    const signal = await stop;
    log.info('stopping', { signal });
    await program.stop();
    log.info('stopped');
    return exitCodes.success;
  },
};

function configFrom(args: Arguments): Config {
  const { config: file, ...flags } = args.values;
  try {
    return readConfig({ flags, file, environment: process.env, directory: process.cwd() });
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message);
    throw error;
  }
}

function logFor({ settings: { logLevel: level, logFormat } }: Config): Log {
  const format = logFormat === 'auto' ? (process.stderr.isTTY ? 'text' : 'json') : logFormat;
  return createLog({ level, format, write: (line) => process.stderr.write(line) });
}

interface Greeting {
  readonly ready: Ready;
  readonly isFirst: boolean;
  readonly readyFile: string | undefined;
}

function greeting({ ready, isFirst, readyFile }: Greeting): string {
  const lines = [`Gatehouse serves the API on ${ready.api}`];
  if (ready.api_https !== undefined) lines.push(`and on ${ready.api_https}`);
  if (readyFile !== undefined) {
    lines.push(
      '',
      `${readyFile} has the addresses${ready.token === undefined ? '' : ' and the credentials'}. What a client needs:`,
      `  gatehouse env --for curl --ready-file ${readyFile}`,
    );
  } else if (isFirst) {
    lines.push(...introduction(ready));
  } else {
    lines.push('', `What a client needs: gatehouse env --for curl --api ${ready.api} --token …`);
  }
  return `${lines.join('\n')}\n`;
}

/** The one time that secrets are shown. */
function introduction(ready: Ready): string[] {
  const { account_id, email, key, zones } = ready;
  return [
    '',
    'Made for you at this first start. The token and the key are told only now:',
    `  account  ${account_id}`,
    `  owner    ${email}`,
    `  token    ${ready.token}`,
    `  key      ${key}`,
    ...zones.map(({ id, name, plan }) => `  zone     ${id}  ${name} (${plan})`),
    '',
    'To try it:',
    ...clientSetup('curl', ready)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line.replace(/^# /, '')}`),
    '',
    'For the official SDK:',
    ...clientSetup('sdk', ready)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'gatehouse env prints the same for Terraform and wrangler.',
  ];
}

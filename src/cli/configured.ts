/** What the commands that take settings have in common. */
import { createLog, type Log } from '#base';
import { type Config, ConfigurationError, readConfig, showConfig } from '#server';
import { type Arguments, exitCodes, UsageError } from './command.ts';
import { toldToStop } from './host-worker.ts';
import { version } from './version.ts';

export const configurationOptions = {
  config: { value: 'FILE', help: 'configuration file, TOML or JSON (./gatehouse.toml if there is one)' },
  'print-config': { help: 'print the settings in force and where they come from, and do not start' },
} as const;

interface Running extends AsyncDisposable {
  stop(): Promise<void>;
}

interface ProgramCommand<Program extends Running> {
  start(parts: { readonly config: Config; readonly log: Log; readonly version: string }): Promise<Program>;
  /** Says that it runs. */
  announce(program: Program, parts: { readonly config: Config; readonly log: Log }): void;
}

/** Runs a program with the settings of the command line until the process is told to stop, or prints them. */
export async function runProgram<Program extends Running>(
  args: Arguments,
  { start, announce }: ProgramCommand<Program>,
): Promise<number> {
  const config = configFrom(args);
  if (args.switches.has('print-config')) {
    process.stdout.write(showConfig(config));
    return exitCodes.success;
  }
  const log = logFor(config);
  const stop = toldToStop();
  await using program = await start({ config, log, version: version() });
  announce(program, { config, log });
  const signal = await stop;
  log.info('stopping', { signal });
  await program.stop();
  log.info('stopped');
  return exitCodes.success;
}

function configFrom(args: Arguments): Config {
  const { config: file, ...flags } = args.values;
  try {
    return readConfig({ flags, file, environment: process.env, directory: process.cwd() });
  } catch (error) {
    throw asUsage(error);
  }
}

/** What is wrong with the configuration is wrong with how the command was called. */
export function asUsage(error: unknown): unknown {
  return error instanceof ConfigurationError ? new UsageError(error.message) : error;
}

function logFor({ settings: { logLevel: level, logFormat } }: Config): Log {
  const format = logFormat === 'auto' ? (process.stderr.isTTY ? 'text' : 'json') : logFormat;
  const log = createLog({ level, format, write: (line) => process.stderr.write(line) });
  process.on('unhandledRejection', (error) =>
    log.error('a promise was rejected and nobody waited', { error }),
  );
  return log;
}

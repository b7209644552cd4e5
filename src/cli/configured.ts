/** Shared by the commands that accept settings. */
import { createLog, type Log } from '#base';
import { type Config, ConfigurationError, readConfig, showConfig } from '#server';
import { type Arguments, exitCodes, UsageError } from './command.ts';
import { waitForSignal } from './signals.ts';
import { readVersion } from './version.ts';

export const configurationOptions = {
  config: { value: 'FILE', help: 'configuration file, TOML or JSON (./gatehouse.toml if there is one)' },
  'print-config': { help: 'print the current settings and where they come from, then exit' },
} as const;

interface Running extends AsyncDisposable {
  stop(): Promise<void>;
  /** Of SIGHUP: continues logs in the files that now have their names, or deploys. */
  onHangUp(): void;
  /** Of SIGUSR2: starts processes anew with these settings. */
  reload(config: Config): Promise<void>;
}

interface ProgramCommand<Program extends Running> {
  start(parts: { readonly config: Config; readonly log: Log; readonly version: string }): Promise<Program>;
  /** Announces that the program runs. */
  announce(program: Program, parts: { readonly config: Config; readonly log: Log }): void;
}

/** Runs a program with the settings of the command line until the process is told to stop, or prints the settings. */
export async function runProgram<Program extends Running>(
  args: Arguments,
  { start, announce }: ProgramCommand<Program>,
): Promise<number> {
  const config = readConfigFrom(args);
  if (args.switches.has('print-config')) {
    process.stdout.write(showConfig(config));
    return exitCodes.success;
  }
  const log = createLogFor(config);
  const stop = waitForSignal();
  await using program = await start({ config, log, version: readVersion() });
  announce(program, { config, log });
  // On a terminal, the signal means that the terminal is gone, and the program ends with it.
  if (!process.stderr.isTTY) process.on('SIGHUP', () => program.onHangUp());
  process.on('SIGUSR2', () => void reload(program, args, log));
  const signal = await stop;
  log.info('stopping', { signal });
  await program.stop();
  log.info('stopped');
  return exitCodes.success;
}

/** An invalid file changes nothing. */
async function reload(program: Running, args: Arguments, log: Log): Promise<void> {
  try {
    const config = readConfigFrom(args);
    log.info('reloading');
    await program.reload(config);
    log.info('reloaded');
  } catch (error) {
    log.error('could not reload; everything continues as before', { error });
  }
}

function readConfigFrom(args: Arguments): Config {
  const { config: file, ...flags } = args.values;
  try {
    return readConfig({ flags, file, environment: process.env, directory: process.cwd() });
  } catch (error) {
    throw toUsageError(error);
  }
}

/** An invalid configuration counts as a usage error. */
export function toUsageError(error: unknown): unknown {
  return error instanceof ConfigurationError ? new UsageError(error.message) : error;
}

export function createLogFor({ settings: { logLevel: level, logFormat } }: Config): Log {
  const format = logFormat === 'auto' ? (process.stderr.isTTY ? 'text' : 'json') : logFormat;
  const log = createLog({ level, format, write: (line) => process.stderr.write(line) });
  process.on('unhandledRejection', (error) => log.error('unhandled promise rejection', { error }));
  return log;
}

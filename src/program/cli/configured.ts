/** Shared by the commands that accept settings. */
import { createLog, type Log, type LogStyle } from '#base';
import { surviveCollectedFiles } from '#files';
import { type Config, ConfigurationError, type Ports, readConfig, showConfig } from '#server';
import { type Arguments, type Command, exitCodes, UsageError } from './command.ts';
import { toExitCode, waitForSignal } from './terminal/signals.ts';
import { readVersion } from './version.ts';

export const configurationOptions = {
  config: { value: 'FILE', help: 'configuration file, TOML or JSON (./gatehouse.toml if there is one)' },
  'print-config': { help: 'print the current settings and where they come from, then exit' },
} as const;

interface Running extends AsyncDisposable {
  stop(): Promise<void>;
  /** Handles SIGHUP: reopens log files under their names, or deploys. */
  onHangUp(): void;
  /** Handles SIGUSR2: restarts processes with these settings. */
  reload(config: Config): Promise<void>;
}

export interface AnnounceParts {
  readonly config: Config;
  readonly log: Log;
  /** Its watchdog has restarted it, so users already know its address. */
  readonly isAgain: boolean;
}

/** A program, as its command defines it. */
export interface ProgramCommand<Program extends Running = Running> {
  start(parts: { readonly config: Config; readonly log: Log; readonly version: string }): Promise<Program>;
  /** Announces that the program is running. */
  announce(program: Program, parts: AnnounceParts): void;
  /** The ports on which the next program must listen, if its watchdog starts one. */
  readPorts(program: Program): Ports;
  /** CPU time that it may take without yielding before its watchdog kills it. */
  getStuckMs(config: Config): number;
}

/** A command that runs a program until the process receives a stop signal, below a watchdog by default. */
export interface ServingCommand extends Command {
  /** Interprets its arguments. The returned ones are only settings. */
  describe(args: Arguments): { readonly settings: Arguments; readonly program: ProgramCommand };
}

export function createServingCommand(command: Omit<ServingCommand, 'run'>): ServingCommand {
  return {
    ...command,
    run(args) {
      const { settings, program } = command.describe(args);
      return runProgram(settings, program);
    },
  };
}

/** Runs a program with the settings of the command line, or prints the settings. */
async function runProgram(args: Arguments, command: ProgramCommand): Promise<number> {
  const config = readConfigFrom(args);
  if (args.switches.has('print-config')) {
    process.stdout.write(showConfig(config));
    return exitCodes.success;
  }
  const stop = waitForSignal();
  await using started = await startProgram(command, { args, config, isAgain: false });
  started.announce();
  // On a terminal, the signal means that the terminal is closed, and the program ends with it.
  if (!process.stderr.isTTY) process.on('SIGHUP', () => started.program.onHangUp());
  process.on('SIGUSR2', () => void started.reload());
  const signal = await stop;
  await started.stop(signal);
  return toExitCode(signal);
}

interface StartedProgram extends AsyncDisposable {
  readonly program: Running;
  /** Announces its address, once. */
  announce(): void;
  /** Reloads the settings. */
  reload(): Promise<void>;
  stop(signal: string): Promise<void>;
}

export async function startProgram(
  command: ProgramCommand,
  { args, config, isAgain }: Pick<AnnounceParts, 'config' | 'isAgain'> & { readonly args: Arguments },
): Promise<StartedProgram> {
  const log = createLogFor(config);
  const program = await command.start({ config, log, version: readVersion() });
  return {
    program,
    announce: () => command.announce(program, { config, log, isAgain }),
    reload: () => reload(program, args, log),
    async stop(signal) {
      log.info('stopping', { signal });
      await program.stop();
      log.info('stopped');
    },
    [Symbol.asyncDispose]: () => program.stop(),
  };
}

/** An invalid file changes nothing. */
async function reload(program: Running, args: Arguments, log: Log): Promise<void> {
  try {
    const config = readConfigFrom(args);
    log.info('reloading');
    await program.reload(config);
    log.info('reloaded');
  } catch (error) {
    log.error('could not reload the configuration; keeping the current one', { error });
  }
}

export function readConfigFrom(args: Arguments): Config {
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

export function createLogFor(config: Config): Log {
  const log = createLog({ ...describeLog(config), write: (line) => process.stderr.write(line) });
  reportRejections(log);
  return log;
}

let rejectionLog: Log | undefined;

/**
 * One listener for the process, however many programs it starts in succession: rejections go to the log of the last
 * one.
 */
function reportRejections(log: Log): void {
  if (rejectionLog === undefined) {
    process.on('unhandledRejection', (error) =>
      rejectionLog!.error('unhandled promise rejection', { error }),
    );
    surviveCollectedFiles((error) => rejectionLog!.error('a file handle was not closed', { error }));
  }
  rejectionLog = log;
}

/** The style of the log, and its minimum level. */
export function describeLog({ settings: { logLevel: level, logFormat } }: Config): LogStyle {
  return { level, format: logFormat === 'auto' ? (process.stderr.isTTY ? 'text' : 'json') : logFormat };
}

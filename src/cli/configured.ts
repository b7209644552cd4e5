/** What the commands that take settings have in common. */
import { type Config, ConfigurationError, createLog, type Log, readConfig } from '#server';
import { type Arguments, UsageError } from './command.ts';

export const configurationOptions = {
  config: { value: 'FILE', help: 'configuration file, TOML or JSON (./gatehouse.toml if there is one)' },
  'print-config': { help: 'print the settings in force and where they come from, and do not start' },
} as const;

export function configFrom(args: Arguments): Config {
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

export function logFor({ settings: { logLevel: level, logFormat } }: Config): Log {
  const format = logFormat === 'auto' ? (process.stderr.isTTY ? 'text' : 'json') : logFormat;
  const log = createLog({ level, format, write: (line) => process.stderr.write(line) });
  process.on('unhandledRejection', (error) =>
    log.error('a promise was rejected and nobody waited', { error }),
  );
  return log;
}

/** What a command that failed writes, and the exit code that it ends with. */
import { ConfigurationError } from '#server';
import { ConfigError, describeError } from '#workers';
import { CommandError, UsageError, exitCodes } from './command.ts';

export function reportFailure(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`gatehouse: ${error.message}\n`);
    return exitCodes.usage;
  }
  process.stderr.write(`gatehouse: ${describe(error)}\n`);
  return error instanceof CommandError ? error.exitCode : exitCodes.failure;
}

/** Only the message if it tells the user what to do; with the stack if the error may be a bug of ours. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const isExplained =
    error instanceof CommandError || error instanceof ConfigError || error instanceof ConfigurationError;
  return isExplained || (code !== undefined && !code.startsWith('ERR_'))
    ? error.message
    : describeError(error);
}

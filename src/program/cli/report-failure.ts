/** Writes the error of a failed command, and returns its exit code. */
import { hasSystemCode } from '#base';
import { CommandError, UsageError, exitCodes } from './command.ts';

export async function reportFailure(error: unknown): Promise<number> {
  if (error instanceof UsageError) {
    process.stderr.write(`gatehouse: ${error.message}\n`);
    return exitCodes.usage;
  }
  process.stderr.write(`gatehouse: ${await describe(error)}\n`);
  return error instanceof CommandError
    ? error.exitCode
    : (exitCodesByName[(error as Error)?.name] ?? exitCodes.failure);
}

/** Only the message if it is sufficient for the user; with the stack if the error may be a bug of ours. */
async function describe(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommandError || explained.has(error.name) || hasSystemCode(error))
    return error.message;
  // Loaded only here, because a successful command does not need it.
  const { describeError } = await import('#workers');
  return describeError(error);
}

/** By name, so that the error classes of other rooms need not be loaded for the check. */
const explained: ReadonlySet<string> = new Set([
  'ConfigError',
  'ConfigurationError',
  'ApiError',
  'ConnectionError',
  'OperatorError',
  'RuleTestError',
  'UnreachableServerError',
]);

const exitCodesByName: Readonly<Record<string, number>> = {
  ApiError: exitCodes.refused,
  ConnectionError: exitCodes.unreachable,
  UnreachableServerError: exitCodes.unreachable,
};

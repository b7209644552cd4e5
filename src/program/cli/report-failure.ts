/** What a command that failed writes, and the exit code that it ends with. */
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

/** Only the message if it tells the user what to do; with the stack if the error may be a bug of ours. */
async function describe(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommandError || explained.has(error.name) || hasSystemCode(error))
    return error.message;
  // Only now: a command that succeeds does not need it.
  const { describeError } = await import('#workers');
  return describeError(error);
}

/** By name: those of other rooms need not be loaded to tell that an error is none of them. */
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

/**
 * Calls rows of the operator door that need no objects: the process that serves the directory answers, or the command
 * itself.
 */
import { ApiError } from '#client';
import { operatorCodes } from '#contract';
import {
  answerHere,
  connectOperator,
  explainRefusal,
  type OperatorClient,
  type OperatorHandlers,
} from '#operator';
import { CommandError, exitCodes } from '../command.ts';

/** `handlers` answer if no process serves the row on the directory. Undefined if they cannot either. */
export async function askOperator<T>(
  directory: string | undefined,
  call: (client: OperatorClient) => Promise<{ readonly result: T }>,
  handlers: Partial<OperatorHandlers> = {},
): Promise<T | undefined> {
  const live = directory === undefined ? undefined : await connectOperator(directory);
  for (const client of [live, answerHere(handlers)]) {
    try {
      if (client !== undefined) return (await call(client)).result;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.has(operatorCodes.operatorNotServed.code)) continue;
      const exitCode = client === live ? exitCodes.refused : exitCodes.failure;
      throw new CommandError(explainRefusal(error), { cause: error, exitCode });
    }
  }
  return undefined;
}

import { OperatorError } from '../error.ts';

/** If something cannot be copied, the backup ends: the folder keeps the earlier one. */
export function createIncomplete(
  place: string,
  problem: string,
  remedy: string,
  cause?: unknown,
): OperatorError {
  return new OperatorError(`cannot back up ${place}: ${problem}; ${remedy}, then repeat the backup`, {
    code: 'BACKUP_INCOMPLETE',
    cause,
  });
}

/** The phases of a transaction, in order. */
import { type RunOptions, runPhase } from './run-phase.ts';
import type { SecResponse } from '../sec-request.ts';
import type { Transaction } from './transaction.ts';

const standard: RunOptions = { isPrefiltered: true };

/** Phases 1 and 2. */
export function runRequest(transaction: Transaction, options = standard): void {
  runPhase(transaction, 1, options);
  if (transaction.interruption !== undefined) return;
  transaction.takeBody();
  runPhase(transaction, 2, options);
}

/** Phases 3 and 4. */
export function runResponse(transaction: Transaction, response: SecResponse, options = standard): void {
  transaction.takeResponse(response);
  runPhase(transaction, 3, options);
  if (transaction.interruption === undefined) runPhase(transaction, 4, options);
}

/** Phase 5, which runs whatever happened before. */
export function runLogging(transaction: Transaction, options = standard): void {
  runPhase(transaction, 5, options);
}

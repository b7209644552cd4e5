/** The phases of a transaction, in order. */
import { runPhase } from './run-phase.ts';
import type { SecResponse } from '../sec-request.ts';
import type { Transaction } from './transaction.ts';

/** Phases 1 and 2. */
export function runRequest(transaction: Transaction): void {
  runPhase(transaction, 1);
  if (transaction.interruption !== undefined) return;
  transaction.takeBody();
  runPhase(transaction, 2);
}

/** Phases 3 and 4. */
export function runResponse(transaction: Transaction, response: SecResponse): void {
  transaction.takeResponse(response);
  runPhase(transaction, 3);
  if (transaction.interruption === undefined) runPhase(transaction, 4);
}

/** Phase 5, which always runs. */
export function runLogging(transaction: Transaction): void {
  runPhase(transaction, 5);
}

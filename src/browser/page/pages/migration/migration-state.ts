/** The progress of a zone; `default` means that it never had the legacy managed rules. */
export type MigrationState = 'default' | 'start' | 'validation' | 'pending' | 'complete';

const firstMs = {
  default: 60_000,
  start: 15_000,
  validation: 15_000,
  pending: 500,
  complete: 300_000,
} as const;
const idleMs = 30_000;

/**
 * The delay before the state is read again: short while the server is working, increasing with the duration or the
 * number of failed reads.
 */
export function choosePollMs(state: MigrationState, attempts: number): number {
  return Math.min(Math.max(idleMs, firstMs[state]), firstMs[state] * 1.5 ** Math.min(attempts, 20));
}

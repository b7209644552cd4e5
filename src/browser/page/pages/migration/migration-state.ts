/** How far a zone is; `default` means that it never had the legacy managed rules. */
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
 * How long to wait before the state is read again: shortly while the server is at work, less and less often the longer
 * it takes or the more often it could not be reached.
 */
export function choosePollMs(state: MigrationState, attempts: number): number {
  return Math.min(Math.max(idleMs, firstMs[state]), firstMs[state] * 1.5 ** Math.min(attempts, 20));
}

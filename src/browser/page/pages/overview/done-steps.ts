/** The completed steps of “Protect this site”, stored in this browser until they are undone. */
import type { Result } from '#client';

export type DoneStep = NonNullable<Result<'protection.protect'>['steps'][number]['undo']>;

const storageKey = (zoneId: string): string => `gatehouse-protected-${zoneId}`;

export function readDone(zoneId: string): readonly DoneStep[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(zoneId)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

export function writeDone(zoneId: string, done: readonly DoneStep[]): void {
  if (done.length === 0) localStorage.removeItem(storageKey(zoneId));
  else localStorage.setItem(storageKey(zoneId), JSON.stringify(done));
}

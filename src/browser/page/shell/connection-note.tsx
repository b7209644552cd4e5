/** Shown while the server does not answer. */
import { useEffect, useSyncExternalStore } from 'react';
import { getConnection, onConnectionChange } from '../api/connection.ts';
import { readSession } from '../api/session.ts';

const askEveryMs = 3_000;

export function ConnectionNote() {
  const isLost = useSyncExternalStore(onConnectionChange, getConnection) === 'lost';
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(() => void readSession().catch(() => undefined), askEveryMs);
    return () => clearInterval(timer);
  }, [isLost]);
  return (
    <div className="connection" role="status">
      {isLost && (
        <p className="note note-warn">
          No connection to the server. The page stays as it is, and continues when the server answers.
        </p>
      )}
    </div>
  );
}

/** Whether the server answers. */
export type Connection = 'up' | 'lost';

let connection: Connection = 'up';
const listeners = new Set<() => void>();

export function getConnection(): Connection {
  return connection;
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteConnection(now: Connection): void {
  if (now === connection) return;
  connection = now;
  for (const listener of listeners) listener();
}

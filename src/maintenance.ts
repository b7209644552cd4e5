/**
 * Looking after a data directory: what is in it, what it was, whether it is whole, copies of it. A process that has the
 * directory open listens on a socket in it; everybody else opens it themselves. Both ways lead through the same code, so
 * the answers are the same.
 *
 * ```ts
 * await using listener = await MaintenanceListener.start({ directory, runtime, log });   // in the server
 *
 * await using access = await openAccess({ directory, mode: 'look' });                     // elsewhere
 * for await (const row of access.rows({ do: 'list' })) console.log(row);
 * await backUp(access, { to: '/backup/monday' });
 * ```
 *
 * Whoever may open the socket (its mode is 0600) may do everything that the process can do with its objects.
 */
export { Access, openAccess, openLiveAccess } from './maintenance/access.ts';
export { backUp, type BackupResult } from './maintenance/backup.ts';
export { changeDatabase, exportDatabase, importDatabase, readDatabase } from './maintenance/database.ts';
export { MaintenanceListener } from './maintenance/listener.ts';
export { type Moment, momentForms, parseMoment } from './maintenance/moment.ts';
export { connectPrivately, listenPrivately } from './maintenance/private-socket.ts';
export type { ObjectPlace, Row } from './maintenance/request.ts';
export { restoreBackup, type RestoreResult } from './maintenance/restore.ts';
export { MaintenanceError } from './maintenance/error.ts';

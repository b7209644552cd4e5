/**
 * The door for operators: a socket in each data directory that is in use, which only its user and root can open. It
 * speaks plain HTTP with rows of the contract; the commands are clients of it, and so is `curl`.
 *
 * ```sh
 * curl --unix-socket data/operator.sock http://gatehouse/objects
 * ```
 *
 * ```ts
 * const handlers = createDirectoryHandlers({ directory, runtime });                     // in the program
 * await using door = await openDoor({ directory, handlers, onError });
 *
 * await using access = await openAccess({ directory, mode: 'look' });                   // elsewhere
 * for await (const { name } of access.client.lines('GET', '/object_names')) console.log(name);
 * await backUp(access, { to: '/backup/monday' });
 * ```
 *
 * On a directory that no program has open, `openAccess` opens it, and the same handlers answer without a socket.
 *
 * The handlers about objects also answer the page, at the public door. An `InspectionPolicy` decides what it may see
 * and change. Reading wakes no object: it uses a copy, with SQL in a separate process that can be killed. A change is
 * an event of the object itself, so it passes through its gates, its journal and its history like any other.
 */
export { openAccess } from './operator/access.ts';
export { backUp } from './operator/backup/backup.ts';
export type { NamedFiles } from './operator/backup/named-files.ts';
export { listInnerDirectories, listUnchecked, scrubFiles } from './operator/directory/scrub-files.ts';
export { restoreBackup } from './operator/backup/restore.ts';
export { changeDatabase, exportDatabase, importDatabase, readDatabase } from './operator/database.ts';
export { answerDoor, openDoor } from './operator/door/open-door.ts';
export { explainRefusal, OperatorError } from './operator/error.ts';
export { listHistory, type ObjectPlace, restoreObject } from './operator/history.ts';
export { type Moment, momentForms, parseMoment } from './operator/moment.ts';
export { inspectionHandlers } from './operator/objects/handlers.ts';
export type {
  ChangeNote,
  FoundObject,
  Inspection,
  InspectionPolicy,
  SecretColumn,
} from './operator/objects/inspection.ts';
export {
  type CopyOptions,
  copyObjects,
  type OnDifference,
  putDatabase,
} from './operator/objects/copy-objects.ts';
export { ObjectsApi } from './operator/objects/objects-api.ts';
export {
  createDirectoryHandlers,
  describeRepair,
  type Repaired,
} from './operator/directory/operate-directory.ts';
export { StoryFiles } from './operator/story-files.ts';
export {
  answerHere,
  connectOperator,
  openLiveAccess,
  type OperatorAccess,
  type OperatorClient,
} from './operator/operator-client.ts';
export type { OperatorHandlers } from './operator/operator-handlers.ts';

/**
 * Files that outlive a crash: written aside, synced and renamed; with checksums and copies where they decide something; kept
 * while a backup reads them. Nothing is removed because a file that names it is absent.
 *
 * ```ts
 * writePrivateFile('data/edge.secret', bytes);   // a reader finds the old content or the new one
 * ```
 */
export { fsync } from './files/syncing/sync.ts';
export {
  type DiskRefusal,
  type RefusedWrite,
  describeDiskRefusal,
  diskRefusalOf,
} from './files/disk-refusal.ts';
export { isHalfRestored, unfinishedRestore } from './files/half-restored.ts';
export { surviveCollectedFiles } from './files/collected-files.ts';
export { keepAfterCopies, keepFiles, removeAfterCopies } from './files/kept-files.ts';
export { returnToOwner } from './files/return-to-owner.ts';
export {
  type FileSystem,
  type OpenFile,
  type OpenMode,
  realFileSystem,
  touchPrivateFile,
} from './files/file-system.ts';
export {
  type DecidingFile,
  decodeDecidingFile,
  encodeDecidingFile,
  isPartOfDecidingFile,
  readDecidingFile,
  removeDecidingFile,
  writeDecidingFile,
} from './files/deciding-file.ts';
export { findFreeName } from './files/find-free-name.ts';
export {
  createSecretFile,
  decodeSecretText,
  isSecretKey,
  isSecretText,
  mendSecretFile,
  readSecretFile,
  replaceSecretFile,
  secretKeyBytes,
  type SecretFile,
  setAsideSecretFile,
} from './files/secret-file.ts';
export {
  createPrivateFile,
  makeDirectory,
  readIfThere,
  replaceFile,
  writePrivateFile,
} from './files/private-file.ts';
export { holdsFiles } from './files/holds-files.ts';
export { createOwnedFolder, takeOwnedFolder } from './files/owned-folder.ts';
export {
  areWorkersComing,
  awaitWorker,
  forgetWorkersStarted,
  noteWorkersStarted,
  workerWaitMsMax,
} from './files/worker-return.ts';
export { RotatedFile } from './files/rotated-file.ts';

/**
 * The lowest room: time, assertions, files, binary strings, addresses and networks, back-off, listeners, the log,
 * budgets of work. It does not depend on objects.
 *
 * ```ts
 * const clock = new VirtualClock({ start: 0 });
 * clock.setTimer(1_000, () => console.log('one virtual second later'));
 * await clock.advance(1_000);
 * ```
 */
export { createLeftError, isIncoming, markIncoming, readAbortReason } from './base/fetch/abort-signals.ts';
export { emptyAcceptQueues } from './base/listeners/accept-queue.ts';
export { type Callee, wrongConstruction, wrongType } from './base/argument-errors.ts';
export { lowerAscii, trimBlanks, upperAscii } from './base/text/ascii.ts';
export { assert } from './base/assert.ts';
export { BackOff, backOffMs } from './base/back-off.ts';
export { BatchQueue } from './base/batch-queue.ts';
export {
  bitsOfBytes,
  byteAt,
  bytesOf,
  changeBytes,
  copyBytes,
  readBytes,
  showText,
  textOf,
} from './base/text/binary-string.ts';
export { isSignedIn } from './base/text/signed-in.ts';
export { Changes } from './base/text/changes.ts';
export { decodeAllEscapes, decodeJsonEscapes, writeCodePoint } from './base/text/json-escapes.ts';
export { type JsonToken, visitJson, visitJsonStrings } from './base/text/json-text.ts';
export {
  type MultipartFlaw,
  type MultipartPart,
  readBoundary,
  splitMultipart,
} from './base/text/multipart.ts';
export { findCookies, visitCookies, visitPairs } from './base/text/pairs.ts';
export {
  decodeUrlEscapes,
  readUrlCode,
  readUrlEscape,
  type UrlEscapeOptions,
} from './base/text/url-escapes.ts';
export { type Clock, type Timer, type TimerKind, elapsedOf, realClock } from './base/clock.ts';
export { shareCompileCache } from './base/compile-cache.ts';
export { fsync } from './base/files/syncing/sync.ts';
export { uploadedFolder } from './base/program/uploaded-folder.ts';
export { bundlerPrefix, endLoading, listLoadingPaths } from './base/program/confinement.ts';
export { didYouMean } from './base/text/did-you-mean.ts';
export {
  type DiskRefusal,
  type RefusedWrite,
  describeDiskRefusal,
  diskRefusalOf,
} from './base/files/disk-refusal.ts';
export { explainWhenUsed } from './base/explain-when-used.ts';
export { isHalfRestored, unfinishedRestore } from './base/files/half-restored.ts';
export { surviveCollectedFiles } from './base/files/collected-files.ts';
export { keepAfterCopies, keepFiles, removeAfterCopies } from './base/files/kept-files.ts';
export { returnToOwner } from './base/files/return-to-owner.ts';
export { Distribution } from './base/distribution.ts';
export { isAlive } from './base/is-alive.ts';
export { isObject } from './base/is-object.ts';
export { hasSystemCode } from './base/system-code.ts';
export {
  type FileSystem,
  type OpenFile,
  type OpenMode,
  realFileSystem,
  touchPrivateFile,
} from './base/files/file-system.ts';
export { compareIp, isEqualIp, formatIp, Ip, parseIp } from './base/ip/ip.ts';
export { findLastAddress, type Network, maskAddress, parseNetwork } from './base/ip/ip-network.ts';
export { IpSet } from './base/ip/ip-set.ts';
export { isNetwork, parseNetworkSet, removeMapping } from './base/ip/networks.ts';
export { readPublishedList } from './base/ip/published-list.ts';
export { beginListening } from './base/listeners/begin-listening.ts';
export { type Clients, DescriptorBudget } from './base/listeners/descriptors.ts';
export { endpointOf, listen, portOf } from './base/listeners/listening.ts';
export { type HttpAnswer, PrivateListener } from './base/listeners/private-listener.ts';
export {
  connectPrivately,
  listenPrivately,
  type PrivateSocketPlace,
  socketNames,
} from './base/listeners/private-socket.ts';
export { createLog, type Log, type LogStyle } from './base/log.ts';
export { isStartingOwn, startOwn, runPrivileged } from './base/work/own-work.ts';
export { SerialWork } from './base/work/serial-work.ts';
export { Turns } from './base/work/turns.ts';
export {
  isExecutable,
  listOwnFiles,
  listProgramArguments,
  programEnvironment,
  programRoot,
  readOwnFile,
  startThread,
  untilStarted,
  withoutSettings,
} from './base/program/own-program.ts';
export { importQuickly } from './base/program/quick-imports.ts';
export { allowStreamBody, fetchApart, nativeFetch } from './base/fetch/native-fetch.ts';
export { measureDirectory } from './base/measure-directory.ts';
export { nextTurn } from './base/work/next-turn.ts';
export { releaseAfter } from './base/work/release-after.ts';
export {
  OutOfSteps,
  runUncharged,
  shareSteps,
  spendSteps,
  StepBudget,
  suspectSteps,
} from './base/work/steps.ts';
export {
  type DecidingFile,
  decodeDecidingFile,
  encodeDecidingFile,
  isPartOfDecidingFile,
  readDecidingFile,
  removeDecidingFile,
  writeDecidingFile,
} from './base/files/deciding-file.ts';
export { findFreeName } from './base/files/find-free-name.ts';
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
} from './base/files/secret-file.ts';
export {
  createPrivateFile,
  makeDirectory,
  readIfThere,
  replaceFile,
  writePrivateFile,
} from './base/files/private-file.ts';
export { holdsFiles } from './base/files/holds-files.ts';
export { createOwnedFolder, takeOwnedFolder } from './base/files/owned-folder.ts';
export {
  areWorkersComing,
  awaitWorker,
  forgetWorkersStarted,
  noteWorkersStarted,
  workerWaitMsMax,
} from './base/files/worker-return.ts';
export { RotatedFile } from './base/files/rotated-file.ts';
export { Heap } from './base/maps/heap.ts';
export { Recurrence, sampleText } from './base/maps/recurrence.ts';
export { BoundedMap } from './base/maps/bounded-map.ts';
export { RecentMap } from './base/maps/recent-map.ts';
export { StartError } from './base/start-error.ts';
export { type ClockFollower, type DueTimer, VirtualClock } from './base/virtual-clock.ts';
export {
  edgeSocketPath,
  findEdgeSocket,
  findWorkerSocket,
  isLiveEdgeSocket,
  otherSockets,
  neighbourSocketPath,
  workerSocketPath,
} from './base/worker-socket.ts';
export { waitForPredecessor } from './base/wait-for-predecessor.ts';
export {
  noteLoading,
  noteObject,
  noteRule,
  noteStatement,
  noteStatementEnd,
  noteZone,
  readWorkNotes,
  registerWork,
  type WorkKind,
  WorkName,
  type WorkNotes,
  workNotes,
} from './base/work/work-notes.ts';
export { type Pieces, runAtOnce, type WorkOptions, WorkTurns, workTurns } from './base/work/work-turns.ts';

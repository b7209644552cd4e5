/** `gatehouse/objects` for those who have installed this package: what src/objects.ts exports, wherever it lies. */
import './strip-own-types.mjs';

export const {
  createRuntime,
  defaultLimits,
  DirectoryLockedError,
  DirectoryMismatchError,
  DurableObject,
  DurableObjectId,
  DurableObjectNamespace,
  DurableObjectState,
  DurableObjectStorage,
  DurableObjectTransaction,
  ImageDamageError,
  JournalDamageError,
  JournalWriteError,
  NotADatabaseError,
  ObjectHistory,
  PastObject,
  relaxedLimits,
  RpcTarget,
  Runtime,
  TablesDamageError,
  VirtualClock,
} = await import('../src/objects.ts');

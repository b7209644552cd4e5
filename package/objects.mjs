/** `gatehouse/objects` for those who have installed this package: what src/objects.ts exports, wherever it lies. */
import './strip-own-types.mjs';

export const {
  createRuntime,
  defaultLimits,
  DurableObject,
  DurableObjectId,
  DurableObjectNamespace,
  DurableObjectState,
  DurableObjectStorage,
  DurableObjectTransaction,
  ObjectHistory,
  PastObject,
  relaxedLimits,
  RpcTarget,
  Runtime,
  VirtualClock,
} = await import('../src/objects.ts');

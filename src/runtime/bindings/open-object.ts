import type { DurableObjectStub } from '#objects';

/** Opens the object behind a binding. A stub stays with the error that it has seen, so each call gets a new one. */
export type OpenObject<T> = () => DurableObjectStub<T>;

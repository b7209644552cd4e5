import type { DurableObjectStub } from '#objects';

/** Opens the object behind a binding. A stub keeps an error that it has seen, so each call gets another stub. */
export type OpenObject<T> = () => DurableObjectStub<T>;

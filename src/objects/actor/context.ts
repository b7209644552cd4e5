/**
 * Which object is running. Everything an event sets in motion, across awaits, carries the object and the
 * gate through which its answers come back.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from './actor.ts';
import type { InputGate } from '../gates/input-gate.ts';

export interface EventContext {
  readonly actor: Actor;
  /** The object's own gate, or that of the critical section the event runs in. */
  readonly gate: InputGate;
}

const storage = new AsyncLocalStorage<EventContext>();

/** The object whose code is running, if any. */
export function currentContext(): EventContext | undefined {
  return storage.getStore();
}

export function runInContext<T>(context: EventContext, work: () => T): T {
  return storage.run(context, work);
}

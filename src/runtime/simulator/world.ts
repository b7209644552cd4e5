/** The interface for a story: objects to call, choices determined by the seed, and what was observed. */
import type { DurableObjectState, DurableObjectStub } from '#objects';
import type { Operation } from './history.ts';
import type { Delivery } from './surroundings/outside.ts';

export interface ObjectOptions {
  /** How often a call is repeated if the request or answer was lost, or the object was reset; 0 by default. */
  readonly retries?: number;
}

/** A participant. Choices of one do not change those of others. */
export interface Participant {
  /** The object of this name, for calls of its methods and its `fetch`. Calls of one handle arrive in order. */
  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  object<T = any>(className: string, name: string, options?: ObjectOptions): DurableObjectStub<T>;
  /** A whole number, both bounds included. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Lets virtual time pass. */
  sleep(ms: number): Promise<void>;
  /** The wall clock, in milliseconds since the epoch. */
  now(): number;
}

export interface Step extends Participant {
  /** Counted from 1. */
  readonly number: number;
  readonly client: string;
}

export type Operations = Readonly<
  Record<
    string,
    | ((step: Step) => unknown)
    | {
        /** The input of the operation: shown in the story, and passed to models. */
        readonly input: (step: Step) => unknown;
        // oxlint-disable-next-line typescript/no-explicit-any -- what `input` answers
        readonly run: (step: Step, input: any) => unknown;
      }
  >
>;

export interface RunOptions {
  /** The total number of operations; 20 by default. */
  readonly steps?: number;
  /** How many clients work concurrently; 3 by default. */
  readonly clients?: number;
}

export interface World extends Participant {
  readonly seed: number;
  /** Clients do these operations, in an order determined by the seed. */
  run(operations: Operations, options?: RunOptions): Promise<void>;
  /** The results of the operations of `run`, and their times. */
  readonly history: readonly Operation[];
  /** The requests that have arrived outside. */
  readonly deliveries: readonly Delivery[];
  /** Ends all faults, and waits until everything is idle. */
  settle(): Promise<void>;
  /** Runs code inside an object, with its instance and its `ctx`; it is not a call, and is never lost. */
  inside<T>(
    className: string,
    name: string,
    // oxlint-disable-next-line typescript/no-explicit-any -- any class
    body: (instance: any, ctx: DurableObjectState) => T,
  ): Promise<Awaited<T>>;
}

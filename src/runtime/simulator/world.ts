/** What a story has in its hand: objects to call, choices that follow from the seed, and what was seen. */
import type { DurableObjectState, DurableObjectStub } from '#objects';
import type { Operation } from './history.ts';
import type { Delivery } from './surroundings/outside.ts';

export interface ObjectOptions {
  /** How often a call is made again whose request or answer was lost, or whose object was reset; 0 by default. */
  readonly retries?: number;
}

/** One who acts. Choices of one do not change those of others. */
export interface Hand {
  /** The object of this name, for calls of its methods and its `fetch`. Calls of one handle arrive in order. */
  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  object<T = any>(className: string, name: string, options?: ObjectOptions): DurableObjectStub<T>;
  /** A whole number, both bounds included. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Lets virtual time pass. */
  sleep(ms: number): Promise<void>;
  /** The clock on the wall, in milliseconds since the epoch. */
  now(): number;
}

export interface Step extends Hand {
  /** From 1 on. */
  readonly number: number;
  readonly client: string;
}

export type Operations = Readonly<
  Record<
    string,
    | ((step: Step) => unknown)
    | {
        /** What it is called with: shown in the story, and given to models. */
        readonly input: (step: Step) => unknown;
        // oxlint-disable-next-line typescript/no-explicit-any -- what `input` answers
        readonly run: (step: Step, input: any) => unknown;
      }
  >
>;

export interface RunOptions {
  /** How many operations in all; 20 by default. */
  readonly steps?: number;
  /** How many clients do them at the same time; 3 by default. */
  readonly clients?: number;
}

export interface World extends Hand {
  readonly seed: number;
  /** Clients do these operations, in an order that follows from the seed. */
  run(operations: Operations, options?: RunOptions): Promise<void>;
  /** What the operations of `run` answered, and when. */
  readonly history: readonly Operation[];
  /** What has arrived outside. */
  readonly deliveries: readonly Delivery[];
  /** From now on nothing goes wrong; waits until everything has come to rest. */
  settle(): Promise<void>;
  /** Runs code inside an object, with its instance and its `ctx`; it is not a call, and is never lost. */
  inside<T>(
    className: string,
    name: string,
    // oxlint-disable-next-line typescript/no-explicit-any -- any class
    body: (instance: any, ctx: DurableObjectState) => T,
  ): Promise<Awaited<T>>;
}

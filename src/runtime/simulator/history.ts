/** An operation of a client, as the client saw it. */
export interface Operation {
  readonly number: number;
  readonly client: string;
  readonly name: string;
  readonly input: unknown;
  readonly begunMs: number;
  /** Infinity if the client did not get a result. */
  endedMs: number;
  /** `unknown`: the call or its answer was lost, or the object was reset. It may or may not be done, even later. */
  outcome: 'open' | 'done' | 'unknown';
  output: unknown;
}

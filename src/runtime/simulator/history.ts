/** An operation of a client, as the client saw it. */
export interface Operation {
  readonly number: number;
  readonly client: string;
  readonly name: string;
  readonly input: unknown;
  readonly begunMs: number;
  /** Infinity, if the client never heard how it ended. */
  endedMs: number;
  /** `unknown`: the call or its answer was lost, or the object was reset. It may be done or not, even later. */
  outcome: 'open' | 'done' | 'unknown';
  output: unknown;
}

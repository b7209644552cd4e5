/** What answers the rows of the operator door. */
import type { Input, Operation, OperatorOperations, PlainReply, Reply, ResultOf } from '#contract';
import type { OnProgress } from '#objects';

/** What a handler knows of the client, besides what it asks. */
export interface OperatorCall {
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  /** A file that the client sends. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A sequence is answered line by line, as it comes. */
type Answered<O extends Operation> =
  | Promise<Reply<ResultOf<O>> | PlainReply>
  | AsyncIterable<ResultOf<O>, void>;

/** The handler of each row. A program has those for what it has. */
export type OperatorHandlers = {
  readonly [Id in keyof OperatorOperations]: (
    call: OperatorCall,
    input: Input<OperatorOperations[Id]>,
  ) => Answered<OperatorOperations[Id]>;
};

/** The same for work that can stop anywhere: it does when the client is gone. */
export function createStoppingProgress({ signal, onProgress }: OperatorCall): OnProgress {
  return (progress) => {
    signal.throwIfAborted();
    onProgress(progress);
  };
}

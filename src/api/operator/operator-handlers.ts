/** The handlers of the rows of the operator door. */
import type { Input, Operation, OperatorOperations, PlainReply, Reply, ResultOf } from '#contract';
import type { OnProgress } from '#objects';

/** The facts about the client, besides its input. */
export interface OperatorCall {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  /** A file that the client uploads. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A sequence is sent line by line, as it is produced. */
type Answered<O extends Operation> =
  | Promise<Reply<ResultOf<O>> | PlainReply>
  | AsyncIterable<ResultOf<O>, void>;

/** The handler of each row. A program implements those for its resources. */
export type OperatorHandlers = {
  readonly [Id in keyof OperatorOperations]: (
    call: OperatorCall,
    input: Input<OperatorOperations[Id]>,
  ) => Answered<OperatorOperations[Id]>;
};

/** The same for work that can stop anywhere: it stops when the client disconnects. */
export function createStoppingProgress({ signal, onProgress }: OperatorCall): OnProgress {
  return (progress) => {
    signal.throwIfAborted();
    onProgress(progress);
  };
}

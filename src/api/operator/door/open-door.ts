/** The door of a program that has a data directory open. */
import { type HttpAnswer, PrivateListener, socketNames } from '#listeners';
import type { OperatorHandlers } from '../operator-handlers.ts';
import { answerHttp } from './answer-http.ts';
import { passOn } from './fetch-through.ts';
import { OperatorApi } from './operator-api.ts';

interface DoorAnswerOptions {
  readonly handlers: Partial<OperatorHandlers>;
  /** Answers requests without a handler. */
  readonly others?: HttpAnswer;
  /** Receives our own bugs. */
  readonly onError: (error: unknown) => void;
}

export interface DoorOptions extends Omit<DoorAnswerOptions, 'others'> {
  readonly directory: string;
  /** Whether the process of a Worker answers requests without a handler. */
  readonly hasWorker?: boolean;
  readonly warn: (message: string) => void;
}

/** Undefined if it cannot listen there; the program runs without it. */
export function openDoor(options: DoorOptions): Promise<PrivateListener | undefined> {
  const { directory, hasWorker = false, warn, ...rest } = options;
  const others = hasWorker ? { others: passOn({ directory, name: socketNames.worker }) } : {};
  return PrivateListener.start(
    { directory, name: socketNames.operator },
    answerDoor({ ...rest, ...others }),
    warn,
  );
}

/** The same without the socket. */
export function answerDoor({ handlers, onError, ...others }: DoorAnswerOptions): HttpAnswer {
  return answerHttp(new OperatorApi({ handlers, onError }), { onError, ...others });
}

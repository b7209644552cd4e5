import { ownAnswer } from '../../wire/own-answer.ts';
import type { Answer } from '../decision.ts';

/** What could not be judged does not pass. */
export const failureAnswer: Answer = ownAnswer(
  500,
  'text/plain; charset=utf-8',
  'The request could not be judged.\n',
);

export const unreadableAnswer: Answer = ownAnswer(
  400,
  'text/plain; charset=utf-8',
  'The body of the request could not be read.\n',
);

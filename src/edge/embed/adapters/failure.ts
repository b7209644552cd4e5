import { answer } from '../../evaluation/answers.ts';
import type { Answer } from '../decision.ts';

/** What could not be judged does not pass. */
export const failureAnswer: Answer = answer(
  500,
  'text/plain; charset=utf-8',
  'The request could not be judged.\n',
);

export const unreadableAnswer: Answer = answer(
  400,
  'text/plain; charset=utf-8',
  'The body of the request could not be read.\n',
);

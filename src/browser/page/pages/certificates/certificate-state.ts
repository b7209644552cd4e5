/** The state of a certificate in its colour, and in a sentence. */
import type { Result } from '#client';
import type { Tone } from '../../parts/pill.tsx';

type State = Result<'certificates.list'>[number]['state'];

export const stateTones: Readonly<Record<State, Tone>> = {
  expired: 'bad',
  expiring: 'bad',
  failing: 'warn',
  pending: 'info',
  active: 'good',
};

export const stateSentences: Readonly<Record<State, string>> = {
  expired: 'Browsers refuse it.',
  expiring: 'It should have been replaced by now.',
  failing: 'The last attempt failed; the next one follows by itself.',
  pending: 'The authority is being asked.',
  active: 'It is renewed by itself.',
};

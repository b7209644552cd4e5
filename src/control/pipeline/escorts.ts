/**
 * Calls that the account answers, and that somebody has to accompany: to ask zones before, to tidy up afterwards. An escort
 * runs outside of the objects. It may refuse the call by a fault, or let it pass with what it found out.
 */
import type { WrittenAnswer } from '#v4';
import type { Call } from '../context/handler.ts';
import { listEscorts } from '../operations/lists/list-deletion.ts';
import type { Crossing } from './crossings.ts';

export type Escort = (
  crossing: Crossing,
  call: Call,
  pass: (call: Call) => Promise<WrittenAnswer>,
) => Promise<WrittenAnswer>;

export const escorts: Readonly<Record<string, Escort>> = { ...listEscorts };

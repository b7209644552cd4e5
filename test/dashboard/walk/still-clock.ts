/**
 * Time that nearly stands still, for pictures: it is noon of one day, and a second takes a quarter of an hour. So
 * charts, ages and dates are the same in every run, while timers still fire. Imported before anything else; processes
 * and threads that are started later have it, too.
 */
import { fileURLToPath } from 'node:url';

/** In the middle of a second, which then stays the same. */
export const stillMs = Date.UTC(2026, 5, 17, 12, 0, 0, 300);
const slowness = 900;

const RealDate = Date;
const startedMs = RealDate.now();

class StillDate extends RealDate {
  constructor(...given: readonly []) {
    if (given.length === 0) super(StillDate.now());
    else super(...given);
  }

  static override now(): number {
    return stillMs + Math.floor((RealDate.now() - startedMs) / slowness);
  }
}

globalThis.Date = StillDate as DateConstructor;
process.env['NODE_OPTIONS'] =
  `${process.env['NODE_OPTIONS'] ?? ''} --import=${fileURLToPath(import.meta.url)}`;

/**
 * Work that must not hold up other work: budgets of steps, turns of the event loop, privileged code of the program beside
 * that of Workers, and notes of what the process is doing for the watchdog.
 *
 * ```ts
 * const compiled = await workTurns.run(compilePieces(rules)); // others are served between the pieces
 * ```
 */
export { isStartingOwn, startOwn, runPrivileged } from './work/own-work.ts';
export { SerialWork } from './work/serial-work.ts';
export { Turns } from './work/turns.ts';
export { nextTurn } from './work/next-turn.ts';
export { releaseAfter } from './work/release-after.ts';
export { OutOfSteps, runUncharged, shareSteps, spendSteps, StepBudget, suspectSteps } from './work/steps.ts';
export {
  noteLoading,
  noteObject,
  noteRule,
  noteStatement,
  noteStatementEnd,
  noteZone,
  readWorkNotes,
  registerWork,
  type WorkKind,
  WorkName,
  type WorkNotes,
  workNotes,
} from './work/work-notes.ts';
export { type Pieces, runAtOnce, type WorkOptions, WorkTurns, workTurns } from './work/work-turns.ts';

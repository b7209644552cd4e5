/** How long processes may take, and how much they may say. */

/** How often a process shows that it lives. Two thirds of a second pass until a stopped one is noticed. */
export const beatMs = 100;

/** Unless set: how long beats may be missing. Counted in turns of the parent, so one that was busy does not blame others. */
export const silentMsDefault = 600;

/** Unless set: CPU time that the event loop of a process may take without a turn. */
export const stuckMsDefault = 500;

/**
 * A process that waits in the kernel uses no CPU time: so many times `stuckMs` may pass on the clock, without the time that
 * it waited for a processor.
 */
export const blockedFactor = 10;

/**
 * On a busy machine, a statement of SQL that may take a second of CPU time takes longer by the clock, and what shares its
 * process waits for it: so many times that second, at most.
 */
export const statementClockFactor = 3;

/** A process that is silent because it does not get a processor may be so many times as long. */
export const starvedFactor = 10;

/** Time between two looks of the watchdog counts as this much at most: while nothing of a process ran, nothing hung. */
export const lookMsMax = 1_000;

/** Unless set: until a process is ready. It takes about 0.3 s; a machine that is busy can take very much longer. */
export const startMsMaxDefault = 180_000;

/** CPU time that one step of a start may take. */
export const startStuckMs = 30_000;

/** A process that was asked to stop and does not within its grace gets this much more, to end what the grace cut off. */
export const stopMarginMs = 1_000;

/** One that has not even noticed by then is held by its code: nothing is gained by waiting for it. */
export const stopNoticeMs = 3_000;

/** Between the starts of a process that fails at once. */
export const restartMsMin = 25;
export const restartMsMax = 10_000;

/** A process that served this long has started well. */
export const steadyMs = 1_000;

/** Of one line that a process prints; the rest of it becomes further lines. */
export const lineCharactersMax = 64 * 1024;

/** Of a turn of the event loop, for what all children have sent: a request to this program has many turns. */
export const intakeMsMax = 4;

/** Unless set: of one message of a child. Those with lines of the access log and with events are the longest. */
export const messageBytesMaxDefault = 64 * 1024 * 1024;

/** Of the text of an error that a child ends with: it can be the log of a build. */
export const failureCharactersMax = 64 * 1024;

/** Of the name of an error or of some work; `work-notes.ts` keeps fewer bytes of one. */
export const namedCharactersMax = 2_048;

/** How long a process may live whose channel is closed: one that exits closes it first. */
export const closedChannelMs = 1_000;

/** When a process that waits for work is started: after those that serve have had the time to start. */
export const standbyMs = 2_000;

/** Unless set: of the heap of a process that is started ahead, before its settings are known. */
export const heapBytesMaxDefault = 1_073_741_824;

/** How often a process whose parent has ended looks for its successor. */
export const adoptionMs = 25;

/** How often a process shows that it lives to a parent that has taken it over, and how long it may be silent. */
export const adoptedBeatMs = 1_000;
export const adoptedSilentMs = 10_000;

/** Lines of the log that such a process keeps meanwhile. */
export const heldLinesMax = 1_000;

/** A process that has loaded its code and still waits after this long gives memory back. */
export const shrinkMs = 2_000;

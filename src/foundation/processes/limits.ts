/** Limits on the time of processes, and on their messages. */

/** The interval of a process's heartbeats. A stopped process is noticed after two thirds of a second. */
export const beatMs = 100;

/** Default: how long heartbeats may be missing, in turns of the parent, so that a busy parent blames no child. */
export const silentMsDefault = 600;

/** Default: CPU time that one turn of a process's event loop may take. */
export const stuckMsDefault = 500;

/**
 * A process that is blocked in the kernel uses no CPU time: this many times `stuckMs` may pass by the clock, excluding
 * the time that it waited for a processor.
 */
export const blockedFactor = 10;

/**
 * On a busy machine, a statement of SQL that may take a second of CPU time takes longer by the clock, and everything
 * else in its process waits for it: at most this many times that second.
 */
export const statementClockFactor = 3;

/** A process that is silent because it gets no processor time may be silent this many times as long. */
export const starvedFactor = 10;

/**
 * The time between two checks of the watchdog counts as at most this: while no thread of a process ran, nothing hung.
 */
export const lookMsMax = 1_000;

/** Default: how long a start may take. It takes about 0.3 s; a busy machine can take very much longer. */
export const startMsMaxDefault = 180_000;

/** CPU time that one step of a start may take. */
export const startStuckMs = 30_000;

/** A process that does not stop within its grace period gets this much more, to abort what is left. */
export const stopMarginMs = 1_000;

/** A process that has not even noticed the request by then is blocked by its code: waiting longer is useless. */
export const stopNoticeMs = 3_000;

/** The delay between the starts of a process that fails at once. */
export const restartMsMin = 25;
export const restartMsMax = 10_000;

/** A process that served this long has started successfully. */
export const steadyMs = 1_000;

/** The length of one line of a process's output; the rest of it becomes further lines. */
export const lineCharactersMax = 64 * 1024;

/** The part of a turn of the event loop for messages of all children: a request to this program takes many turns. */
export const intakeMsMax = 4;

/** Default: the size of one message of a child. Those with lines of the access log and with events are the longest. */
export const messageBytesMaxDefault = 64 * 1024 * 1024;

/** The length of the error text with which a child ends: it can be the log of a build. */
export const failureCharactersMax = 64 * 1024;

/** The length of the name of an error or of some work; `work-notes.ts` keeps fewer bytes of one. */
export const namedCharactersMax = 2_048;

/** How long a process may live after its channel closed: an exiting process closes it first. */
export const closedChannelMs = 1_000;

/** When a waiting process is started: after the serving ones have had the time to start. */
export const standbyMs = 2_000;

/** Default: the heap of a process that is started before its settings are known. */
export const heapBytesMaxDefault = 1_073_741_824;

/** How often a process whose parent has ended looks for the successor. */
export const adoptionMs = 25;

/** The heartbeat interval of an adopted process, and how long it may be silent. */
export const adoptedBeatMs = 1_000;
export const adoptedSilentMs = 10_000;

/** Log lines that such a process keeps meanwhile. */
export const heldLinesMax = 1_000;

/** A process that has loaded its code and still waits after this long frees memory. */
export const shrinkMs = 2_000;

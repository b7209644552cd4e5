/** The version of the protocol of the socket. */
export const protocolVersion = 2;

/** Concurrent requests of one socket: operators, not traffic. */
export const clientsMax = 8;

/**
 * A client that neither reads nor writes for this long is considered disconnected, so that it does not keep history on
 * disk.
 */
export const silenceMsMax = 5 * 60_000;

/** The interval between progress reports. */
export const progressMs = 200;

/**
 * Bytes of a file in one piece: large enough for the overhead to be negligible, small enough to block no other work.
 */
export const pieceBytesMax = 256 * 1024;

/** How often a locked directory is checked again: the process that has just locked it may be about to listen. */
export const connectTries = 10;
export const connectRetryMs = 100;

/** The same for a directory inside one that is backed up: a Worker that has ended is restarted within this time. */
export const innerTries = 50;

/** How often a change by SQL is retried if the object writes at the same time. */
export const changeTries = 5;

/** Points of a history in one answer. */
export const pointsPerPage = 1_000;

/**
 * A query of a copy is stopped after this time, because a client waits for it. The start of its process does not count.
 */
export const copyMsMax = 10_000;

/** Additional time if its process waits for a processor. */
export const copyWaitMsMax = 60_000;

/** Copies that are read concurrently, each in its own process. */
export const copiesMax = 4;

/** The largest answer of a copy's process: a thousand rows of short cells. */
export const copyAnswerBytesMax = 8 * 1024 * 1024;

/** Memory of a copy's process, in addition to SQLite's. */
export const copyHeapMegabytes = 256;

export const rowsDefault = 100;

/** The length of a cell or a value. Exports are complete. */
export const shownCharactersMax = 4_000;

/** A value of more bytes is shown but cannot be edited: it is too long to edit by hand, and the page would be slow. */
export const editedBytesMax = 64 * 1024;

/** The part of a statement or a value that an audit log stores. */
export const notedCharactersMax = 1_000;

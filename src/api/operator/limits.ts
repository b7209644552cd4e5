/** The version of what can be asked through the socket. */
export const protocolVersion = 2;

/** Requests of one socket at a time: operators, not traffic. */
export const clientsMax = 8;

/** A client that neither reads nor writes for this long is gone, and must not keep history on disk. */
export const silenceMsMax = 5 * 60_000;

/** Progress is told at most this often. */
export const progressMs = 200;

/** Bytes of a file in one piece: large enough that the piece costs nothing, small enough to hold up no other work. */
export const pieceBytesMax = 256 * 1024;

/** How often a directory that is locked is looked at again: the process that has just locked it may be about to listen. */
export const connectTries = 10;
export const connectRetryMs = 100;

/** The same for a directory inside one that is backed up: a Worker that has ended is started again within this time. */
export const innerTries = 50;

/** How often a change by SQL is tried again if the object writes at the same time. */
export const changeTries = 5;

/** Points of a history in one answer. */
export const pointsPerPage = 1_000;

/** A query of a copy is stopped after this long, because a client waits for it. The start of its process does not count. */
export const copyMsMax = 10_000;

/** How much longer it may take if its process waits for a processor. */
export const copyWaitMsMax = 60_000;

/** Copies that are read at the same time, each by a process of its own. */
export const copiesMax = 4;

/** What the process of a copy may answer: a thousand rows of short cells. */
export const copyAnswerBytesMax = 8 * 1024 * 1024;

/** Memory of the process of a copy, beside that of SQLite. */
export const copyHeapMegabytes = 256;

export const rowsDefault = 100;

/** Of a cell or a value. Export has all of it. */
export const shownCharactersMax = 4_000;

/** A value of more bytes is shown, and not edited: a person does not, and the page would be slow. */
export const editedBytesMax = 64 * 1024;

/** What an audit log keeps of a statement or a value. */
export const notedCharactersMax = 1_000;

/** The name of the socket in a data directory. */
export const socketName = 'maintenance.sock';

/** The version of what is said over the socket. */
export const protocolVersion = 1;

/** A message is a row, a request or a report of progress: the longest is a row with a name. */
export const messageBytesMax = 256 * 1024;

/** Bytes of a file in one frame: large enough that its head costs nothing, small enough to hold nobody up. */
export const pieceBytesMax = 256 * 1024;

/** Clients of one socket at a time: operators, not traffic. */
export const clientsMax = 8;

/** A client that neither reads nor writes for this long is gone, and must not keep history on disk. */
export const silenceMsMax = 5 * 60_000;

/** Progress is told at most this often. */
export const progressMs = 200;

/** Points of a history that are read before others have their turn. */
export const pointsPerTurn = 100;

/** How often a directory that is locked is looked at again: whoever has just locked it may be about to listen. */
export const connectTries = 10;
export const connectRetryMs = 100;

/** Text of a request: a class, an object, a bookmark. */
export const textBytesMax = 4096;

/** A value that is stored, in base64: what fits into a message beside the rest of a request. */
export const valueCharactersMax = 240 * 1024;

/** How often a change by SQL is tried again if the object writes at the same time. */
export const changeTries = 5;

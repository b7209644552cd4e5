/** More processes than this compete for one disk and its syncs, and gain nothing. */
export const hostsMax = 64;

/** CPU time that one event may take without a pause, unless set: Cloudflare's limit. */
export const cpuMsDefault = 30_000;

/** A quarter of Node's default: an idle host is about 15 MB smaller. */
export const semiSpaceBytesMax = 4 * 1024 * 1024;

/** The JavaScript heap of each host, unless set. */
export const heapBytesDefault = 1024 * 1024 * 1024;

/** The delay between attempts to reach a host that does not listen: a restarted host listens within a second. */
export const connectMsMin = 5;
export const connectMsMax = 100;

/** How long the objects of a host may take to make their writes durable when the runtime is closed. */
export const closeMs = 10_000;

/** How long a host that the machine does not schedule is tolerated: ending it costs every call in progress. */
export const silentMsMax = 10_000;

/** The interval between two progress messages of a long operation in a host. */
export const progressMs = 100;

/** Items in one answer of a host at most: stored values are the largest, with 128 KiB each. */
export const itemsPerAnswer = 64;

/** Pieces of a database in one answer, of up to 256 KiB each. */
export const piecesPerAnswer = 8;

/** The interval between two reports of a host about itself. */
export const statsMs = 1_000;

/** How long a call waits for a host that is restarting; then its caller gets an error. */
export const unreachableMsMax = 60_000;

/** Another process may still be releasing a directory: the hosts of a killed program end within this time. */
export const lockWaitMsMax = 5_000;
export const lockRetryMs = 20;

/** The total memory of a host, unless set: its heap, and as much again for databases and data in transit. */
export const residentBytesDefault = 2 * heapBytesDefault;

/** The interval between two log lines about a move of objects. */
export const moveProgressMs = 5_000;

/** How long to wait for a host's folder while holding the directory's lock: an orphan is about to release it. */
export const orphanWaitMsMax = 60_000;

/** How long one statement of an object's SQL may take, unless set: CPU time; three times as long by the clock. */
export const statementMsDefault = 1_000;

/** The pause of an object that blocked its process until that was ended: the first one, and the maximum. */
export const pauseMsMin = 10_000;
export const pauseMsMax = 10 * 60_000;

/** After this long without an incident, an object's pauses start over. */
export const pausesForgottenMs = 30 * 60_000;

/** How many such objects are remembered. */
export const offendersMax = 1_000;

/** The size of one message of a host to its parent: counts by class, and the classes when it is ready. */
export const messageBytesMax = 1024 * 1024;

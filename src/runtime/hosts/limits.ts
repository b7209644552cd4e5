/** More processes than this share a disk and its syncs, and gain nothing. */
export const hostsMax = 64;

/** CPU time that one event may take without a pause, unless set: that of Cloudflare. */
export const cpuMsDefault = 30_000;

/** A quarter of what Node takes: an idle host is about 15 MB smaller. */
export const semiSpaceBytesMax = 4 * 1024 * 1024;

/** What JavaScript may hold in each host, unless set. */
export const heapBytesDefault = 1024 * 1024 * 1024;

/** Between attempts to reach a host that does not listen: one that is started again is there within a second. */
export const connectMsMin = 5;
export const connectMsMax = 100;

/** For the objects of a host to make durable what they have written, when the runtime is closed. */
export const closeMs = 10_000;

/** A host that the machine does not let run is given this long: its end costs every call that it was answering. */
export const silentMsMax = 10_000;

/** Between two messages about the progress of long work in a host. */
export const progressMs = 100;

/** Items that one answer of a host brings at most: stored values are the largest of them, with 128 KiB each. */
export const itemsPerAnswer = 64;

/** Of pieces of a database, of up to 256 KiB each. */
export const piecesPerAnswer = 8;

/** Between two reports of a host about itself. */
export const statsMs = 1_000;

/** How long a call waits for a host that is being started again; then its caller is told that it is gone. */
export const unreachableMsMax = 60_000;

/** Another process may still be letting a directory go: the hosts of a program that was killed end within this time. */
export const lockWaitMsMax = 5_000;
export const lockRetryMs = 20;

/** What a host may hold in memory in all, unless set: its heap, and as much for databases and what is on its way. */
export const residentBytesDefault = 2 * heapBytesDefault;

/** Between two lines of the log about a move of objects. */
export const moveProgressMs = 5_000;

/** For the folder of a host while we hold the lock of the directory: its holder is left over, and is about to notice. */
export const orphanWaitMsMax = 60_000;

/** How long one statement of an object's SQL may take, unless set: CPU time; three times as long by the clock. */
export const statementMsDefault = 1_000;

/** An object that held its process until that was ended is not woken for so long: at first, and after many times. */
export const pauseMsMin = 10_000;
export const pauseMsMax = 10 * 60_000;

/** An object that has not done it again for so long starts over. */
export const pausesForgottenMs = 30 * 60_000;

/** Objects that are remembered for it. */
export const offendersMax = 1_000;

/** Of one message of a host to its parent: counts by class, and the classes when it is ready. */
export const messageBytesMax = 1024 * 1024;

/** Bounds of Workers that run in production. */

/** Versions of a Worker that are kept in addition to the running one. */
export const versionsKept = 10;

/** How long a process with a Worker may be silent: killing it costs every connection, a short pause costs none. */
export const silentMsMax = 10_000;

/** A cron that was due while no process was running is still fired up to this late. */
export const cronsLateMsMax = 10 * 60_000;

/** How long a page of metrics waits for the counts of a process with a Worker. */
export const answerMsMax = 2_000;

/** The JSON of a followed call, with Cloudflare's limit for logs; logs that do not fit are dropped. */
export const callCharactersMax = 256 * 1024;

/** One message of a process with a Worker: a recorded call is the longest, and a character takes at most two bytes. */
export const messageBytesMax = 1024 * 1024;

/** The modules of an uploaded Worker load in milliseconds: if they take longer than this, they never finish. */
export const uploadLoadMsMax = 10_000;

/** How long to wait for another host of a cluster to stop or start a Worker. */
export const askHostsMsMax = 15_000;

/** How often hosts of a cluster report which Workers are followed there, and how long such a report is valid. */
export const followNoticeMs = 3_000;
export const followedMs = 10_000;

/**
 * How long a Worker waits for the version that another host deploys, before it continues with the deployed version in
 * the account.
 */
export const pausedMsMax = 10_000;

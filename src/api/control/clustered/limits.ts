/** Times and sizes of a control plane that several hosts share. */

/**
 * How long a host uses its directory after asking the account for it. A write to the account is answered when every
 * other host has it, or when that host's lease must have expired.
 */
export const directoryUseMs = 2_000;

/** How often a host asks: several times within one lease. */
export const directoryRenewMs = 500;

/** Added to `directoryUseMs` for a host that does not answer: clock rates differ, and timers are late. */
export const directoryGraceMs = 200;

/**
 * The number of writes to the account whose changes are kept. A host that is further behind reads the whole directory.
 */
export const directoryRevisionsKept = 10_000;

/** Between attempts to notify a host. */
export const noticeRetryMs = 100;

/** How long a host may take to do what it is asked, such as to load other OWASP rules. */
export const askMsMax = 5_000;

/** How long a list that another host is deleting stays hidden if that host sends nothing more. */
export const hiddenMsMax = 30_000;

/** How long the deleting host may rely on that. */
export const hiddenMsUsed = 20_000;

/** How often open streams look for events that other hosts recorded. */
export const tailLookMs = 1_000;

/** How long counts of requests are collected before they are written. */
export const trafficWriteMs = 10_000;

/** The most rows of counts that wait to be written. Further ones are dropped. */
export const trafficRowsMax = 100_000;

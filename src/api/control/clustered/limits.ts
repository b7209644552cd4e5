/** Times and sizes of a control plane that several hosts share. */

/**
 * How long a host uses its directory after it has asked the account for it. A write to the account is answered when every
 * other host has it, or has not asked for so long that it has to ask again.
 */
export const directoryUseMs = 2_000;

/** How often a host asks: several times before the directory may no longer be used. */
export const directoryRenewMs = 500;

/** Beyond `directoryUseMs`, for a host that does not answer: clocks run differently, and timers are late. */
export const directoryGraceMs = 200;

/** Writes to the account of which the changes are kept. A host that is further behind reads the whole directory. */
export const directoryRevisionsKept = 10_000;

/** Between attempts to tell a host something. */
export const tellAgainMs = 100;

/** For a host to do what it is asked, such as to take other OWASP rules. */
export const askMsMax = 5_000;

/** How long a list that another host is deleting stays hidden if that host says no more. */
export const hiddenMsMax = 30_000;

/** How long the host that deletes it may rely on that. */
export const hiddenMsUsed = 20_000;

/** How often open streams look for events that other hosts have recorded. */
export const tailLookMs = 1_000;

/** How long counts of requests are collected before they are written. */
export const trafficWriteMs = 10_000;

/** Rows of counts that wait to be written. Further ones are left out. */
export const trafficRowsMax = 100_000;

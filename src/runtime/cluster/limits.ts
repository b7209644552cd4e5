/**
 * How long a host that shows no sign of life keeps its objects. A host renews its lease four times in that time; it is
 * replaced when its lease is over by the clock of the database and another host has seen no sign of life for as long by
 * its own. A process that dies releases its lease at once, so this is how long a machine may be lost, or starved.
 */
export const leaseMsDefault = 5_000;
export const leaseMsMin = 200;
export const beatsPerLease = 4;

/**
 * With more hosts than this, each looks at the others once in a lease instead of at each beat: what the database has to tell
 * grows with the square of the hosts, and some host looks at any moment.
 */
export const hostsSeenEachBeatMax = 16;

/** Of its lease, a host uses this part: what is left covers a message under way and clocks that run differently. */
export const leaseUsed = 0.9;

/**
 * Processor time that the objects of a host may take without a turn of its event loop before its lease is given up: they
 * cannot be expected to answer any more, and another host may have better luck. A process that waits in the kernel takes
 * none: so many times that may pass by the clock.
 */
export const stuckMsDefault = 30_000;
export const blockedFactor = 10;

/** How often the thread that runs the objects shows that it turns. */
export const turnMs = 100;

/** A host that has not turned for this part of a lease is said to be busy: others are patient with it. */
export const busyLeases = 0.5;

/** For the lease of a process that died to be released, where the database does not answer. */
export const releaseMsMax = 60_000;

/** Between the starts of what keeps leases, if it ends. */
export const helperMsMin = 100;
export const helperMsMax = 60_000;

/** Objects in one statement. Beyond about a thousand the planner reads whole tables. */
export const objectsPerCommitMax = 256;

/** Bytes of records in one statement, unless it is a single larger one. Some databases refuse messages beyond 16 MiB. */
export const commitBytesMax = 4 * 1024 * 1024;

/** How often a write that changes nothing when it is repeated is sent before its failure is reported. */
export const writeAttemptsMax = 5;

/** Statements on their way at a time: while one is answered, the next is on its way. */
export const commitsInFlightMax = 2;

/** Without an answer for this long, a connection is given up, and what was sent on it has an unknown outcome. */
export const answerMsMax = 10_000;

/** A renewal of a lease is given up after a lease, but not before this: a busy database may take as long. */
export const renewalMsMin = 1_000;

/** Between attempts to reach a database that does not answer, or that says that transactions are in each other's way. */
export const retryMsMin = 10;
export const retryMsMax = 500;

/** Between attempts of a statement that another was in the way of: that one is over by then, as a rule. */
export const conflictMsMin = 1;
export const conflictMsMax = 100;

/** A claim waits for a host that shows no sign of life: it is dead within this many of its leases. */
export const claimLeases = 4;

/** Connections beside those for commits and for the lease: claims, reads, images. */
export const connectionsMax = 4;

/** Bytes of records that are asked for at a time when a log is read, as soon as it is known how large they are. */
export const readBytesMax = 4 * 1024 * 1024;
export const readRowsFirst = 16;
export const readRowsMax = 1_024;

/** Rows of a list that are asked for at a time. No transaction stays open: it would keep dead rows from being cleared. */
export const listRowsMax = 1_000;

/** Alarms that a host takes over at a time, so that several hosts share those of one that died. */
export const orphanAlarmsMax = 100;

/** Rows of hosts that died stay for this long, for operators who look. */
export const deadHostMs = 24 * 60 * 60_000;

/**
 * A write that could not be sent, or whose outcome could not be found out, for this long fails with the reason. The same for
 * an object that is to be woken or to answer.
 */
export const waitMsDefault = 15_000;

/** For two hosts to make sure of each other. */
export const handshakeMsMax = 5_000;

/** A connection to another host is asked for a sign of life this often in a lease; silent for two leases, it is given up. */
export const linkAsksPerLease = 2;
export const linkSilentLeases = 2;

/**
 * How often a call is passed on: to the host that has the object, and again each time that it has moved meanwhile, as when
 * hosts leave one after the other. Beyond a few it waits a little each time.
 */
export const hopsMax = 8;
export const hopsAtOnceMax = 2;

/** Objects that could be in several databases whose place is remembered. */
export const placesRememberedMax = 100_000;

/** Objects of other hosts whose place is remembered. */
export const ownersRememberedMax = 100_000;

/** For the objects of a host that leaves to end what they are doing. Those that do not are reset. */
export const handOverMsMax = 10_000;

/** For how long calls to an object that is to be handed over wait at first, and how often they look whether it was. */
export const drainRoundMs = 1_000;
export const drainLookMs = 10;

/** Between two lines of the log about the same kind of trouble with connections between hosts. */
export const troubleEveryMs = 60_000;

/** How often a host looks whether those of another code have let go of the objects; after so many leases it gives up. */
export const otherCodeLookMs = 20;
export const otherCodeLeases = 4;

/**
 * How long an unresponsive host keeps its objects. A host renews its lease four times in that time; it is replaced when
 * its lease has expired by the clock of the database and another host has seen no renewal for as long by its own. A
 * process that dies releases its lease at once, so this is how long a machine may be lost, or starved.
 */
export const leaseMsDefault = 5_000;
export const leaseMsMin = 200;
export const beatsPerLease = 4;

/**
 * With more hosts than this, each reads the list of the others once per lease instead of at each beat: the database's
 * answers grow with the square of the number of hosts, and at any moment some host reads it.
 */
export const hostsSeenEachBeatMax = 16;

/** The part of its lease that a host uses: the rest covers a message in transit and clocks that run differently. */
export const leaseUsed = 0.9;

/**
 * Processor time that the objects of a host may take without a turn of its event loop before its lease is given up:
 * such objects cannot be expected to respond any more, and another host may have better luck. A process that waits in
 * the kernel takes none: this many times as long may pass by the clock.
 */
export const stuckMsDefault = 30_000;
export const blockedFactor = 10;

/** How often the thread that runs the objects publishes that it is not blocked. */
export const turnMs = 100;

/** A host that has been blocked for this part of a lease is reported as busy: others wait longer for it. */
export const busyLeases = 0.5;

/** How long releasing the lease of a dead process may take if the database does not respond. */
export const releaseMsMax = 60_000;

/** The delay between starts of the thread or process that keeps leases, if it ends. */
export const helperMsMin = 100;
export const helperMsMax = 60_000;

/** Objects in one statement. Beyond about a thousand the planner scans whole tables. */
export const objectsPerCommitMax = 256;

/** Bytes of records in one statement, unless it is a single larger one. Some databases refuse messages beyond 16 MiB. */
export const commitBytesMax = 4 * 1024 * 1024;

/** How often an idempotent write is sent before its failure is reported. */
export const writeAttemptsMax = 5;

/** Statements sent before the first one is answered. */
export const commitsInFlightMax = 2;

/** Without an answer for this long, a connection is closed, and what was sent on it has an unknown outcome. */
export const answerMsMax = 10_000;

/** A lease renewal is abandoned after one lease, but not before this: a busy database may take as long. */
export const renewalMsMin = 1_000;

/** The delay between attempts to reach a database that does not respond, or that reports conflicting transactions. */
export const retryMsMin = 10;
export const retryMsMax = 500;

/** The delay before a statement is repeated after a conflict: the other one has usually finished by then. */
export const conflictMsMin = 1;
export const conflictMsMax = 100;

/** A claim waits for an unresponsive host: it is declared dead within this many of its leases. */
export const claimLeases = 4;

/** Connections in addition to those for commits and for the lease: for claims, reads, images. */
export const connectionsMax = 4;

/** Bytes of records requested at a time when a log is read, as soon as their size is known. */
export const readBytesMax = 4 * 1024 * 1024;
export const readRowsFirst = 16;
export const readRowsMax = 1_024;

/** Rows of a list requested at a time. No transaction stays open, because it would prevent vacuuming dead rows. */
export const listRowsMax = 1_000;

/** Alarms that a host takes over at a time, so that several hosts share those of one that died. */
export const orphanAlarmsMax = 100;

/** Rows of dead hosts stay for this long, for operators to see. */
export const deadHostMs = 24 * 60 * 60_000;

/**
 * A write that could not be sent, or whose outcome is unknown, fails with the reason after this long. The same applies
 * to an object that cannot be woken or whose answers cannot leave.
 */
export const waitMsDefault = 15_000;

/** How long two hosts may take to authenticate each other. */
export const handshakeMsMax = 5_000;

/** How often per lease a connection to another host is checked; silent for two leases, it is closed. */
export const linkAsksPerLease = 2;
export const linkSilentLeases = 2;

/**
 * How often a call is forwarded: to the host that has the object, and again each time that it has moved meanwhile, as
 * when hosts leave one after another. Beyond the first few it waits a little each time.
 */
export const hopsMax = 8;
export const hopsAtOnceMax = 2;

/** How many objects that could be in several databases have their database remembered. */
export const placesRememberedMax = 100_000;

/** How many objects of other hosts have their host remembered. */
export const ownersRememberedMax = 100_000;

/** How long the objects of a leaving host may take to finish. Those that take longer are reset. */
export const handOverMsMax = 10_000;

/** How long calls to an object that is to be handed over wait at first, and how often they check whether it was. */
export const drainRoundMs = 1_000;
export const drainLookMs = 10;

/** The interval between two log lines about the same kind of connection problem between hosts. */
export const troubleEveryMs = 60_000;

/** How often a host checks whether those of another code have left; it gives up after this many leases. */
export const otherCodeLookMs = 20;
export const otherCodeLeases = 4;

/** What a client may make us hold. */

/** How long an idle connection stays open: longer than common load balancers keep theirs, so that they close first. */
export const keepAliveMs = 75_000;

/** Of the API. A client sends some ten; proxies add a few each. */
export const headersMax = 100;

/** Of all headers together with the target, which may have half of it. */
export const headerBytesMax = 32 * 1024;

/** Until the headers of a request are whole. */
export const headersTimeoutMs = 15_000;

/** Until the body is, too: 4 MiB at the speed of a bad line. */
export const requestTimeoutMs = 60_000;

/** A connection with nothing to say in either direction while a request is under way; streams send something more often. */
export const idleTimeoutMs = 120_000;

/** How often connections are looked at for these times. */
export const timeoutCheckMs = 2_000;

/** Open at the same time; each holds some 20 KB. */
export const connectionsMax = 4_096;

/** A body nobody wanted is read to its end if it is this short, since that costs less than another connection. */
export const unwantedBodyBytesMax = 64 * 1024;

/** How long a client whose request was refused half-way may take to notice, and how much it may send meanwhile. */
export const lingerMs = 2_000;
export const lingerBytesMax = 8 * 1024 * 1024;

/** For a probe of the store. */
export const probeTimeoutMs = 2_000;

/** An answer of the store counts for so long: probes of many balancers cost no more than that of one. */
export const probeFreshMs = 1_000;

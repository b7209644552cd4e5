/** Limits on what a client can make the server hold. */

/** How long an idle connection stays open: longer than common load balancers keep theirs, so that they close first. */
export const keepAliveMs = 75_000;

/** Headers of a request to the API. A client sends about ten; each proxy adds a few. */
export const headersMax = 100;

/** The size of all headers together with the target, which may take half of it. */
export const headerBytesMax = 32 * 1024;

/** Until the headers of a request are complete. */
export const headersTimeoutMs = 15_000;

/** Until the body is complete too: 4 MiB over a slow line. */
export const requestTimeoutMs = 60_000;

/**
 * The timeout of a connection without data in either direction while a request is in progress; streams send data more
 * often.
 */
export const idleTimeoutMs = 120_000;

/** How often connections are checked for these timeouts. */
export const timeoutCheckMs = 2_000;

/** Concurrent connections; each takes about 20 KB. */
export const connectionsMax = 4_096;

/** An unread body up to this size is read to its end, because that costs less than a new connection. */
export const unwantedBodyBytesMax = 64 * 1024;

/** How long a client whose request was refused in the middle may take to notice, and how much it may send meanwhile. */
export const lingerMs = 2_000;
export const lingerBytesMax = 8 * 1024 * 1024;

/** The timeout of a probe of the store. */
export const probeTimeoutMs = 2_000;

/** How long the result of a probe is reused, so that many load balancers cost no more than one. */
export const probeFreshMs = 1_000;

/** How often the program shows the thread of the admin port that it is alive. */
export const beatMs = 250;

/** After this silence `/livez` of the admin port answers 503. On a starved machine, seconds are normal. */
export const liveMsMax = 10_000;

/** How long the thread of the admin port waits for an answer of the program: longer than a probe of the store. */
export const adminAnswerMs = 5_000;

/** Connections of the admin port: load balancers and collectors of metrics. */
export const adminConnectionsMax = 256;

/** What a client may make us hold. Each can be changed in the options of `serveHttp`. */

/** The largest request body; the hosted service takes 100 MB on its smaller plans. */
export const requestBodyBytesMax = 100 * 1024 * 1024;

/** How long an idle connection stays open: longer than common load balancers keep theirs, so that they close first. */
export const keepAliveMs = 75_000;

/** How long `close` waits for answers that are under way. */
export const closeGraceMs = 10_000;

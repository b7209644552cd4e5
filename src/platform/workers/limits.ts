/**
 * Limits on input from a project or a client, so that a mistake causes an error message instead of exhausting memory.
 */

/** Far above any configuration; a larger file is probably a wrong path. */
export const configBytesMax = 1024 * 1024;

/** How long the modules of a Worker may take to run for the first time: Cloudflare allows one second of CPU time. */
export const loadMsMaxDefault = 30_000;

/** Editors write a file in several steps: changes within this time are one change. */
export const watchSettleMs = 60;

/** The largest body of a request to a Worker; Cloudflare takes 100 MB on its smaller plans. */
export const requestBodyBytesMax = 100 * 1024 * 1024;

/** How long an idle connection stays open: longer than common load balancers keep theirs, so that they close first. */
export const keepAliveMs = 75_000;

/** Responses that `caches` keeps, all caches together. */
export const cacheBytesMax = 64 * 1024 * 1024;

/** The size of a tag or comment that `HTMLRewriter` buffers until it is complete. */
export const htmlTokenCharactersMax = 1024 * 1024;

/** How long `close` waits for answers in progress. */
export const closeGraceMs = 10_000;

/** The output of a build command: it is kept for the message about a failure. */
export const buildOutputBytesMax = 16 * 1024 * 1024;

/** Files and bytes of an unbundled project: more is probably the wrong folder. */
export const unbundledFilesMax = 10_000;
export const unbundledBytesMax = 100 * 1024 * 1024;

/** The largest file that is served beside a Worker: Cloudflare's limit. */
export const assetBytesMax = 25 * 1024 * 1024;

/** Rules of `_headers` or `_redirects`, which are tried one after the other: Cloudflare's limit. */
export const assetRulesMax = 2_100;

/** How long a store of an account may take to answer a binding: longer than the largest value takes on a slow line. */
export const callMsMax = 60_000;
/** The same for contents that a Worker may still be producing while they are sent. */
export const transferMsMax = 600_000;

/** How long a call waits for another Worker of the account, whose process may be starting. */
export const neighbourMsMax = 15_000;

/**
 * The limits of the API for one call of an R2 object, and for the line before its contents: those of the contract,
 * which is too large to load with every Worker.
 */
export const remoteObjectBytesMax = 100 * 1024 * 1024;
export const remoteHeadBytesMax = 64 * 1024;

/** How many failures in a row mark an origin: one can be a hiccup, and a request that failed was tried elsewhere. */
export const failuresMax = 3;

/** How long a marked origin gets no requests, at first and at most: it doubles with each mark that follows. */
export const markMsMin = 5_000;
export const markMsMax = 60_000;

/** Origins that one request is sent to, the first included. */
export const attemptsMax = 3;

/** Of an origin that is well again, at the beginning of its slow start. */
export const slowStartShareMin = 0.05;

/** Of an answer to a probe, where the expected text may stand: Cloudflare reads as much. */
export const probeBodyBytesMax = 10 * 1024;

/** Of one probe. */
export const probeRedirectsMax = 3;

/** How often hosts repeat what they know of origins although nothing has changed. */
export const reportMs = 5 * 60_000;

/** What changes within this time is reported together. */
export const reportDelayMs = 100;

/**
 * Consecutive failures that mark an origin: one failure can be a hiccup, and the failed request was retried elsewhere.
 */
export const failuresMax = 3;

/** How long a marked origin gets no requests: the first and the longest time. Each following mark doubles it. */
export const markMsMin = 5_000;
export const markMsMax = 60_000;

/** Origins that a request is sent to, including the first. */
export const attemptsMax = 3;

/** Share of a recovered origin at the start of its slow start. */
export const slowStartShareMin = 0.05;

/** Part of a probe response that is searched for the expected text: Cloudflare reads as much. */
export const probeBodyBytesMax = 10 * 1024;

/** Redirects that one probe follows. */
export const probeRedirectsMax = 3;

/** How often a host repeats its report on origins although nothing has changed. */
export const reportMs = 5 * 60_000;

/** Changes within this time are reported together. */
export const reportDelayMs = 100;

/** The size of a sign-in request: a token or an e-mail address with a key, with some spare. */
export const signInBytesMax = 4 * 1024;

/** Unused links at a time: beyond that, the newest are kept. */
export const signInLinksMax = 20;

/** How long a sign-in link is valid: long enough to walk to the browser. */
export const signInLinkLifetimeMs = 15 * 60 * 1000;

/** Of a sign-in request: a token or an e-mail address with a key, and a little room. */
export const signInBytesMax = 4 * 1024;

/** Links that wait at a time: of many, the newest are kept. */
export const signInLinksMax = 20;

/** How long a link that signs in can be used: long enough to walk to the browser. */
export const signInLinkLifetimeMs = 15 * 60 * 1000;

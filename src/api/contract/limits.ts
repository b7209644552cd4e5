/** The prefix of every path of the API. */
export const apiPath = '/client/v4';

/** Bodies hold rules, items and bundles of them; more than this is a mistake or an attack. */
export const requestBodyBytesMax = 4 * 1024 * 1024;

/** The code of a Worker with its source maps, which can be larger than the code. */
export const uploadBytesMax = 64 * 1024 * 1024;

/** Parts of an upload: each a module or a source map. */
export const formPartsMax = 2_000;

/** Name and type of a part. */
export const formHeaderBytesMax = 4_096;

/** Targets carry filters and expressions: 4,096 characters, percent-encoded, and the rest. */
export const targetCharactersMax = 16 * 1024;

/**
 * Sessions of the dashboard last a working day, so that people sign in once a day and no session stays open overnight.
 */
export const sessionLifetimeMs = 12 * 60 * 60 * 1000;

/** Concurrent sessions of the dashboard. They are held in memory; opening one takes valid credentials. */
export const sessionsMax = 10_000;

/** Every path of the API begins with it. */
export const apiPath = '/client/v4';

/** Bodies hold rules, items and bundles of them; more than this is a mistake or an attack. */
export const bodyBytesMax = 4 * 1024 * 1024;

/** Targets carry filters and expressions: 4,096 characters, percent-encoded, and the rest. */
export const targetCharactersMax = 16 * 1024;

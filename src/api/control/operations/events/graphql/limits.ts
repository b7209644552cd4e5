/** Typical queries have a few hundred. */
export const tokensMax = 2_000;

/** Operations and fragments: each fragment is compared with every other one. */
export const definitionsMax = 20;

/** Objects in all variables together. */
export const variableObjectsMax = 500;
export const variableValuesMax = 5_000;

/** Fields of one node; this is Cloudflare's limit. */
export const fieldsPerNodeMax = 30;

/** Selections of `__schema` and `__type`, each of which can request the whole schema. */
export const introspectionsMax = 2;

/** Zones of one query. */
export const zonesMax = 10;

/** Nodes of one query that read a log: two per zone, and some to spare. */
export const scansMax = 30;

/** In one response, all nodes together: about 30 MB of JSON. */
export const eventsMax = 20_000;

/** Nodes that have not started by then are cancelled. */
export const durationMsMax = 20_000;

/** Comparisons of a filter, the nesting depth of AND and OR, and the values of all its lists. */
export const testsMax = 200;
export const filterDepthMax = 16;
export const filterValuesMax = 2_000;

/** Events per page if the query sets no limit. */
export const limitDefault = 100;

/** How much older than the retention a query may ask for: clocks differ, and requests take time. */
export const retentionSlackMs = 60 * 60 * 1000;

/** The length of an error message, which may contain what the client sent. */
export const messageCharactersMax = 500;

/** Errors of one answer: the author of the query fixes the first ones first. */
export const errorsMax = 10;

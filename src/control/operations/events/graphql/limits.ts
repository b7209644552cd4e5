/** A query that people or scripts write has some hundred. */
export const tokensMax = 2_000;

/** Operations and fragments: every fragment is compared with every other. */
export const definitionsMax = 20;

/** Of all variables together. */
export const variableObjectsMax = 500;
export const variableValuesMax = 5_000;

/** Of one node; the original's. */
export const fieldsPerNodeMax = 30;

/** Questions to `__schema` and `__type`, each of which can ask for everything there is. */
export const introspectionsMax = 2;

/** Zones of one query. */
export const zonesMax = 10;

/** Nodes of one query that look into a log: two for each zone, and some to spare. */
export const scansMax = 30;

/** In one answer, all nodes together: some 30 MB of JSON. */
export const eventsMax = 20_000;

/** Nodes that have not begun by then are given up. */
export const durationMsMax = 20_000;

/** Tests of a filter, how deep AND and OR stand in each other, and values of all its lists. */
export const testsMax = 200;
export const filterDepthMax = 16;
export const filterValuesMax = 2_000;

/** A page of events when the query does not say how many. */
export const limitDefault = 100;

/** How much older than the retention a query may ask for: clocks differ, and requests take a while. */
export const retentionSlackMs = 60 * 60 * 1000;

/** Of an error: what a client wrote may be in it. */
export const messageCharactersMax = 500;

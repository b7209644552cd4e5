/** Limits of learning, each with its reason. */

/** Networks of a sample: their shares are accurate to some percent, and a row of the table has about 600 bytes. */
export const sampleNetworksMax = 48;

/** The Base64 of a whole sample: twelve bytes for each network. */
export const sampleCharactersMax = sampleNetworksMax * 16;

/** Values (a path, a place and a name) per zone: about 400 KB in its object, 50 KB at the edge. */
export const valuesMax = 500;

/** Values of a zone in one batch of an edge. */
export const batchValuesMax = 200;

/** Values of one request that are examined: a form or an order has fewer. */
export const requestValuesMax = 60;

export const nameCharactersMax = 80;
export const pathCharactersMax = 200;

/** Segments of a path that are distinguished. */
export const segmentsMax = 6;

/** Length of a value: what follows adds nothing to its shape. */
export const shapeCharactersMax = 4_096;

/** Required before learned values are used: this many requests, networks, and time since the first. */
export const requestsMin = 200;
export const networksMin = 20;
export const waitMs = 24 * 3_600_000;

/** Values that were not sent for this long are no longer usual. */
export const keptDays = 30;

/** Time between two versions of the profile for edges, because each version recompiles the zone. */
export const publishMs = 10 * 60_000;

/** Values from at least this share of networks are usual. */
export const usualShareMin = 0.25;

/** Networks in the sample that may have sent a value that still counts as rare: one may be an attacker. */
export const rareNetworksMax = 1;

/** Surprises that make a value an outlier: one alone is a new feature, or a visitor who mistyped. */
export const surprisesMin = 2;

/** Segments below one path, each sent by several networks: from this number on they count as names of items. */
export const wideMin = 40;

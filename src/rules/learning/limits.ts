/** Bounds of what is learned, each with its reason. */

/** Networks of a sample: a share of them is known to some percent, and a row of the table has about 600 bytes. */
export const sampleNetworksMax = 48;

/** The Base64 of a whole sample: twelve bytes for each network. */
export const sampleCharactersMax = sampleNetworksMax * 16;

/** Values (a path, a place and a name) of a zone: about 400 KB in its object, 50 KB at the edge. */
export const valuesMax = 500;

/** Values of a zone that one batch of an edge tells of. */
export const batchValuesMax = 200;

/** Values of one request that are looked at: a form or an order has fewer. */
export const requestValuesMax = 60;

export const nameCharactersMax = 80;
export const pathCharactersMax = 200;

/** Segments of a path that are told apart. */
export const segmentsMax = 6;

/** Of a value: what stands behind says nothing new of its kind. */
export const shapeCharactersMax = 4_096;

/** Before what was learned of a value counts: this many requests, networks, and time since the first. */
export const requestsMin = 200;
export const networksMin = 20;
export const waitMs = 24 * 3_600_000;

/** What was not sent for so long is no longer usual. */
export const keptDays = 30;

/** Between two versions of what edges judge by, because each compiles the zone again. */
export const publishMs = 10 * 60_000;

/** What so large a share of networks sends is usual. */
export const usualShareMin = 0.25;

/** Of networks in the sample that may have sent what is still taken for rare: one may be an attacker. */
export const rareNetworksMax = 1;

/** Surprises that make a value far out: one alone is a new feature, or a visitor who mistyped. */
export const surprisesMin = 2;

/** Segments below one path, each sent by several networks: from here on they are taken for names of things. */
export const wideMin = 40;

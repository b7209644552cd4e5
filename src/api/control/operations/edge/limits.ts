/** The length of one field of an event that an edge sends. Edges truncate theirs at half of that. */
export const eventTextCharactersMax = 4_096;

/** The size of an explanation as JSON: twenty rules with their trees. */
export const judgedCharactersMax = 512 * 1024;

/** Key-value pairs of one event. */
export const metadataMax = 20;

/** Zones in one message of the configuration feed, so that lines stay short. */
export const zonesPerMessageMax = 1_000;

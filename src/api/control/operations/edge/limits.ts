/** Of one field of an event that an edge sends. Edges truncate theirs at half of that. */
export const eventTextCharactersMax = 4_096;

/** Of an explanation as JSON: twenty rules with their trees. */
export const judgedCharactersMax = 512 * 1024;

/** Key-value pairs of one event. */
export const metadataMax = 20;

/** Zones that one message of the configuration feed names, so that no line of it is long. */
export const zonesPerMessageMax = 1_000;

/** The time limit for a program or a server that changes records. */
export const changeMsMax = 120_000;

/** The length of a failing program's output in messages. */
export const saidCharactersMax = 500;

/** RFC 1035, section 2.3.4. */
export const labelBytesMax = 63;
export const nameBytesMax = 255;

/** The TTL of records, in seconds: each value is looked up once. */
export const recordSeconds = 60;

/** RFC 8945, section 10: the maximum clock difference, in seconds. */
export const clockSecondsApart = 300;

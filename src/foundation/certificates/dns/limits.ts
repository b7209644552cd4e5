/** A program or a server that changes records and does not end for so long is given up. */
export const changeMsMax = 120_000;

/** What a program says before it fails is shown up to here. */
export const saidCharactersMax = 500;

/** RFC 1035, section 2.3.4. */
export const labelBytesMax = 63;
export const nameBytesMax = 255;

/** How long records may be remembered by others, in seconds: each value is looked for once. */
export const recordSeconds = 60;

/** RFC 8945, section 10: how far apart clocks may be, in seconds. */
export const clockSecondsApart = 300;

/** Keys that one process counts at the same time: some 30 MB. When there are more, those idle for longest are forgotten. */
export const rateKeysMax = 200_000;

/** Longer values are counted by their digest. */
export const rateValueCharactersMax = 62;

/** Keys that a process shows to those who look. */
export const shownKeysMax = 500;

/** How many keys are looked at to find one that can be forgotten. */
export const forgottenOfMax = 16;

/**
 * How long a process waits before it tells the others what it has counted of keys that are far from their limits. What is
 * near its limit is told at once.
 */
export const shareMs = 50;

/** How long the answer to a request near a limit waits for the others to know of it; they answer within milliseconds. */
export const sharedMsMax = 250;

/** After others took longer than that, no answer waits for so long. */
export const impatientMs = 5_000;

/** Of one message between processes. What is beyond stays uncounted by the others. */
export const sharedKeysMax = 5_000;

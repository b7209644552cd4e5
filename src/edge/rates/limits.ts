/** Keys that one process counts at the same time: some 30 MB. When there are more, those idle for longest are forgotten. */
export const rateKeysMax = 200_000;

/** Longer values are counted by their digest. */
export const rateValueCharactersMax = 62;

/** Keys that a process shows to those who look. */
export const shownKeysMax = 500;

/** How many keys are looked at to find one that can be forgotten. */
export const forgottenOfMax = 16;

/** How long a process waits before it tells the others what it has counted: what comes meanwhile can be beyond a limit. */
export const shareMs = 50;

/** Of one message between processes. What is beyond stays uncounted by the others. */
export const sharedKeysMax = 5_000;

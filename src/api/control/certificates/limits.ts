/** After the first failure. Authorities allow five failures for a name in an hour. */
export const attemptPauseMs = 60_000;

/** A name that points here at last waits at most so long. */
export const attemptPauseMsMax = 86_400_000;

/**
 * When the work is started again if the process that does it ends without a word. An order that cannot even be kept, as
 * on a full disk, is placed again as often: fewer times than authorities allow.
 */
export const resumeMs = 60_000;

/** A certificate is used for at least this share of its lifetime, whatever its authority suggests. */
export const lifetimeShareMin = 0.1;

/** The last part of a lifetime, in which a certificate should have been replaced: authorities want it after two thirds. */
export const warningShare = 0.2;

/** Of certificates that live for years: people replace them within a month. */
export const warningMsMax = 30 * 86_400_000;

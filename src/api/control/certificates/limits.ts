/** After the first failure. Authorities allow five failures for a name in an hour. */
export const attemptPauseMs = 60_000;

/** The longest time that a name waits once it points here. */
export const attemptPauseMsMax = 86_400_000;

/**
 * When to start the work again if the process that does it dies without reporting. An order that cannot even be stored,
 * as on a full disk, is placed again at this rate: less often than authorities allow.
 */
export const resumeMs = 60_000;

/** The smallest share of its lifetime for which a certificate is used, whatever its authority suggests. */
export const lifetimeShareMin = 0.1;

/**
 * The last part of a lifetime, by which a certificate should have been replaced: authorities want it after two thirds.
 */
export const warningShare = 0.2;

/** For certificates that are valid for years: people replace them within a month. */
export const warningMsMax = 30 * 86_400_000;

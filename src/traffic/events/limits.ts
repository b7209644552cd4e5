import type { Plan } from '#rulesets';

/**
 * Rows that one search reads: a quarter of a second of work for an expression, the most expensive condition. A page of
 * a rare kind of event may be short, and has a cursor to continue.
 */
export const findRowsMax = 100_000;

/** Rows that one count reads: some seconds of work, in small slices. */
export const groupRowsMax = 5_000_000;

/** Events per page. Existing scripts for Cloudflare request up to this many. */
export const pageEventsMax = 10_000;

/** Groups returned: the first ones in the requested order. */
export const groupsMax = 10_000;

/** Groups counted at the same time, some hundred bytes each. Events of further groups are counted together. */
export const groupsHeldMax = 100_000;

/**
 * Events that wait to be written, for all zones together. Further events are dropped and counted. A zone may hold at
 * most as many as remain free, so one alone has half.
 */
export const queuedEventsMax = 50_000;

/** Events written in one call to a zone's log: a few milliseconds. */
export const batchEventsMax = 250;

/**
 * Bytes of bodies that may be held until their events are created. Beyond this, events are created at once, without an
 * explanation.
 */
export const heldBytesMax = 64 * 1024 * 1024;

/** Logs that are written at the same time, not counting those that take longer than `writePatienceMs`. */
export const writesPerRoundMax = 64;

/** How long the logs of other zones wait for a slow one. */
export const writePatienceMs = 1_000;

/** How long events are collected before they are written. */
export const gatherMs = 50;

/** How long events are created before other work gets a turn. */
export const makeMsPerTurn = 4;

/** Length of a value in an explanation: enough to recognise it. */
export const valueCharactersMax = 256;

/** Length of an expression, or a part of it, in an explanation. The rule itself contains all of it. */
export const partCharactersMax = 512;

/**
 * Step budget for explaining the rules that acted on a request, and again for finding those that would have decided:
 * some 25 ms each. Rules beyond the budget are named without their trees.
 */
export const explanationStepsMax = 5_000_000;

/**
 * CPU time for each, however slow the machine is: in this time the process serves no other request. It is four times
 * what the steps take, because code is slow when it runs for the first time, and must give the same explanation then.
 */
export const explanationCpuMsMax = 100;

/** Rules of one request whose trees are stored: the first ones, and the one that decided. */
export const explainedRulesMax = 20;

/** Values that a SecLang rule matched on and that are stored: the first ones show what it is about. */
export const foundValuesMax = 5;

/** Rules that are named because they would have decided as well. */
export const decidersMax = 20;

/** Places that are named for a rule without a tree. */
export const decidersMatchesMax = 3;

/** Parts of one request that rules are tried on, to name the part that matched: a few milliseconds of work. */
export const partTriesMax = 2_000;

/** Length of the name of a cookie, an argument or a field in an explanation. */
export const placeNameCharactersMax = 100;

/** Length of the path as rules see it: kept for exceptions, and short enough to leave room in an expression. */
export const pathCharactersKept = 1_000;

/** Length of text on both sides of the shown text that is searched for secrets that start or end outside of it. */
export const secretCharactersMax = 4_096;

/** Secret values per request that are kept out of explanations. */
export const secretsMax = 200;

const hourMs = 3_600_000;

/** How long events of a zone are kept, by plan. */
export const retentionMs: Readonly<Record<Plan, number>> = {
  free: 24 * hourMs,
  pro: 24 * hourMs,
  business: 72 * hourMs,
  enterprise: 30 * 24 * hourMs,
};

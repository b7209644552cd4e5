/**
 * Rows that one search reads: a quarter of a second of work for an expression, which costs most. A page of a rare kind of
 * event may be short, and has a cursor to continue.
 */
export const findRowsMax = 100_000;

/** Rows that one count reads: some seconds of work, in small slices. */
export const groupRowsMax = 5_000_000;

/** Events per page. Existing scripts for Cloudflare ask for up to this many. */
export const pageEventsMax = 10_000;

/** Groups that are returned: the first ones in the requested order. */
export const groupsMax = 10_000;

/** Groups that are counted at the same time, some hundred bytes each. Events of further groups are counted together. */
export const groupsHeldMax = 100_000;

/**
 * Events waiting to be written, all zones together. Further events are dropped and counted. No zone has more than it leaves
 * free, so one alone has half.
 */
export const queuedEventsMax = 50_000;

/** Events written in one call to a zone's log: a few milliseconds. */
export const batchEventsMax = 250;

/**
 * Bytes of bodies that may be held until their events are created. Beyond this, events are created at once, without an
 * explanation.
 */
export const heldBytesMax = 64 * 1024 * 1024;

/** Logs that are written to at the same time, not counting those that take longer than `writePatienceMs`. */
export const writesPerRoundMax = 64;

/** How long the logs of other zones wait for one that is slow. */
export const writePatienceMs = 1_000;

/** How long events are collected before they are written. */
export const gatherMs = 50;

/** How long events are created before other work gets a turn. */
export const makeMsPerTurn = 4;

/** Of a value in an explanation: enough to recognise it. */
export const valueCharactersMax = 256;

/** Of an expression, or a part of it, in an explanation. The rule itself contains all of it. */
export const partCharactersMax = 512;

/**
 * What explaining the rules that acted on a request may take, and once more what finding those that would have decided
 * may: some 25 ms each. Rules that it is not enough for are named without their trees.
 */
export const explanationStepsMax = 5_000_000;

/**
 * CPU time of each, however slow the machine is: meanwhile the process serves no other request. Four times what the steps
 * take, because code that runs for the first time is slow, and the explanation has to be the same then.
 */
export const explanationCpuMsMax = 100;

/** Rules of one request whose trees are stored: the first ones, and the one that decided. */
export const explainedRulesMax = 20;

/** Values that a rule in SecLang matched on and that are stored: the first ones show what it is about. */
export const foundValuesMax = 5;

/** Rules that are named because they would have decided as well. */
export const decidersMax = 20;

/** Places that are named of a rule without a tree. */
export const decidersMatchesMax = 3;

/** Parts of one request that rules are tried on to name the one that they matched: a few milliseconds of work. */
export const partTriesMax = 2_000;

/** Of the name of a cookie, an argument or a field in an explanation. */
export const placeNameCharactersMax = 100;

/** Of the path as rules see it: so many characters are kept for exceptions, and leave room in an expression. */
export const pathCharactersKept = 1_000;

/** What is searched on both sides of the shown text, for secrets that begin or end outside of it. */
export const secretCharactersMax = 4_096;

/** Values of one request that are kept out of explanations. */
export const secretsMax = 200;

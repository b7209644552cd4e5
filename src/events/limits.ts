/** Rows read at a time: some 10 ms of work, then others have their turn. */
export const scanRowsPerTurn = 2_000;

/** Rows that one search reads. A page of a rare kind of event may be short, and says where to go on. */
export const findRowsMax = 200_000;

/** Rows that one count reads: some ten seconds of work, in small pieces. */
export const groupRowsMax = 1_000_000;

/** A page of events. The original's scripts ask for up to this many. */
export const pageEventsMax = 10_000;

/** Groups that are given back, the first of their order. */
export const groupsMax = 10_000;

/** Groups that are counted at the same time, some hundred bytes each. Events of further ones are counted together. */
export const groupsHeldMax = 100_000;

/** Deleted at a time when their days are over. */
export const expireRowsPerTurn = 2_000;

/** Events that wait to be written, all zones together. More than this is dropped, and counted. */
export const queuedEventsMax = 50_000;

/** Written in one call to a zone's log: a few milliseconds. */
export const batchEventsMax = 250;

/** Bytes of bodies that may be held until their events are made. Events beyond are made at once, without explanation. */
export const heldBytesMax = 64 * 1024 * 1024;

/** How long events are gathered before they are written. */
export const gatherMs = 50;

/** Events are made for so long, then others have their turn. */
export const makeMsPerTurn = 4;

/** Of a value in an explanation; enough to see what it is about. */
export const valueCharactersMax = 256;

/** Of an expression, or a part of it, in an explanation. The whole of it stands in the rule. */
export const partCharactersMax = 512;

/** Rules of one request whose trees are kept: the first of them, and the one that decided. */
export const explainedRulesMax = 20;

/** What is looked through on both sides of what is shown, for secrets that begin or end outside of it. */
export const secretCharactersMax = 4_096;

/** Values of one request that are kept out of explanations. */
export const secretsMax = 200;

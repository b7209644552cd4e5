/** Counting rows may never cost more than the statement it counts: every search here has an end. */

/** Rows of EXPLAIN that are looked at; a longer program (a huge VALUES list, say) is estimated. */
export const explainRowsMax = 4_000;

/** Registers named by all instructions together. A row of the widest table is 2,000. */
export const registersNamedMax = 50_000;

/** Facts kept, one for each slot at each address or place: the memory of the walk, and its time. */
export const factsMax = 80_000;

/** Balances that are looked at; a statement has a handful. */
export const balancesMax = 16;

/** Jumps between them, seen without knowledge of registers; code of SQLite stays far below. */
export const jumpsMax = 40_000;

/** Places of the flow graph: program points times what is known about the registers there. */
export const placesMax = 3_000;

/** Routes left after contraction; the tableau of the integer program grows with their square. */
export const routesMax = 500;

/** Tableau cells that may be touched in one `count()`, twice if the rows are looked at one by one: some milliseconds. */
export const cellsTouchedMax = 700_000;

/** Subproblems one integer program may be split into. */
export const subproblemsMax = 300;

/** Stretches between rows that are looked at one by one; beyond that only the totals are used. */
export const stretchesMax = 20_000;

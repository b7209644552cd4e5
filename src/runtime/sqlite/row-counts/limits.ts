/** Counting rows may never cost more than the statement itself: every search here is bounded. */

/** Rows of EXPLAIN that are analysed; a longer program (a huge VALUES list, say) is estimated. */
export const explainRowsMax = 4_000;

/** Facts kept, one for each slot at each address or place: bounds the memory and time of the walk. */
export const factsMax = 80_000;

/** Places on the map: addresses times the known facts about the registers there. */
export const placesMax = 3_000;

/** Routes left after contraction; the tableau of the linear program grows with their square. */
export const routesMax = 300;

/** Sorters and transient tables whose contents are kept in balance; a statement has a handful. */
export const storesMax = 16;

/** Tableau cells that may be touched in one `count()`: a few milliseconds. */
export const cellsTouchedMax = 300_000;

/** Subproblems one integer program may be split into. */
export const subproblemsMax = 100;

/**
 * What an instruction adds to when it runs. The first ones are counted by SQLite too, so their sums
 * are known; `read`, `written` and `seekEnd` are what is asked for. Balances (see `balances.ts`) add
 * more behind these.
 */
export const tally = {
  steps: 0,
  fullscan: 1,
  sort: 2,
  autoindex: 3,
  filterHit: 4,
  filterMiss: 5,
  rows: 6,
  /** Changes made by the statement itself, and with those of its triggers and foreign key actions. */
  changesOwn: 7,
  changesAll: 8,
  /** Entries counted by the one `count(*)` whose value is the result. */
  counted: 9,
  read: 10,
  written: 11,
  /** Appends to an index being built, whose price depends on the pages it fills. */
  seekEnd: 12,
  /** How unlikely the path is: decides between explanations that fit equally well. */
  surprise: 13,
  /** Ranges that end with the index itself: ordinary once, for its last key, but hardly more often. */
  rangeEnds: 14,
} as const;

export const talliesFixed = 15;

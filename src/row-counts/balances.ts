/**
 * What code of SQLite keeps in balance though the map cannot know it: what is put into a sorter or a
 * transient table comes out again, and a LIMIT or OFFSET register counts down from a known number.
 *
 * A balance adds tallies of its own to the ways, and says in linear terms of them what always holds
 * and which of several cases must hold.
 */
import type { Via } from './exits.ts';
import type { ExplainRow, Program } from './explain.ts';
import { findCountdownBalances } from './countdowns.ts';
import { balancesMax } from './limits.ts';
import { findWriters } from './registers.ts';
import { findStoreBalances } from './stores.ts';

/** The integer a parameter is bound to, by its number from 1; undefined if it is none or not known. */
export type VariableValues = (index: number) => number | undefined;

/** Σ coefficient · tally + constant, which is at least zero. */
export interface Row {
  readonly terms: readonly Term[];
  readonly constant: number;
}

export type Term = readonly [tally: number, coefficient: number];

export interface Rules {
  readonly always: readonly Row[];
  /** All rows of one of these lists hold as well. */
  readonly cases: readonly (readonly Row[])[];
}

export interface Balance {
  /** What a way out of an instruction adds to the tallies of this balance. */
  of(op: ExplainRow, via: Via | 'repeat'): readonly Term[];
  /** The rules under the values the parameters are bound to; undefined if they say nothing then. */
  rules(variables: VariableValues, finished: boolean): Rules | undefined;
  /** A tally that is zero if the first case holds. */
  readonly settled?: number;
}

/** Every balance numbers its tallies from the first it is given. */
export type BalanceMaker = (tallyFirst: number) => Balance;

export const talliesEach = 4;

export function findBalances(programs: readonly Program[], tallyFirst: number): Balance[] {
  const makers = programs.flatMap((program) => {
    const writers = findWriters(program);
    return [...findStoreBalances(program, writers), ...findCountdownBalances(program, writers)];
  });
  return makers.slice(0, balancesMax).map((make, index) => make(tallyFirst + index * talliesEach));
}

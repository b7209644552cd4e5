/**
 * Texts with gaps. `‹name›` is a line of the list `name`, whose lines may have gaps themselves; `‹a|b›` is one of the
 * alternatives; `‹int:1-500›`, `‹hex:32›` and the like are generated (`made-up-values.ts`). Characters that cannot be
 * written in a line are written as ␊ (line feed), ␍ (carriage return), ␉ (tab) and ␀ (null).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { makeUp } from './made-up-values.ts';
import type { Random } from './random.ts';

export type Encode = (text: string) => string;

const lists = readLists(new URL('words/', import.meta.url));

/** The contents of a gap are encoded, the text around it is not. */
export function expand(text: string, random: Random, encode: Encode = (value) => value): string {
  return text.replaceAll(/‹([^‹›]*)›/g, (_, gap: string) => encode(fill(gap, random)));
}

export function readControls(text: string): string {
  return text.replaceAll('␊', '\n').replaceAll('␍', '\r').replaceAll('␉', '\t').replaceAll('␀', '\0');
}

function fill(gap: string, random: Random): string {
  if (gap.includes('|')) return random.pick(gap.split('|'));
  const lines = lists.get(gap);
  if (lines !== undefined) return expand(random.pick(lines), random);
  return makeUp(gap, random);
}

/** `[name]` starts a list, each further line is an entry. */
function readLists(folder: URL): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of readdirSync(folder).toSorted()) {
    let current: string[] = [];
    for (const line of readFileSync(new URL(file, folder), 'utf8').split('\n')) {
      const heading = /^\[([\w-]+)\]$/.exec(line);
      if (heading !== null) found.set(heading[1]!, (current = []));
      else if (line !== '') current.push(readControls(line));
    }
  }
  return found;
}

/** The arguments that managed rules can be told to leave out: those that they found something in. */
import { leftOutKinds } from '#request';
import type { FoundMatch, JudgedPlace } from '../judged/judged.ts';

export interface LeftOut {
  readonly kind: string;
  readonly name: string;
}

/** A rule, as far as it matters here. */
interface Finding {
  readonly found?: readonly FoundMatch[] | undefined;
}

/** The arguments that the rules found something in; none if one of them found something only elsewhere. */
export function listLeftOut(rules: readonly Finding[]): readonly LeftOut[] {
  const parts = new Map<string, LeftOut>();
  for (const { found = [] } of rules) {
    // What a rule finds in a whole body has no name; another part of the rule may have found the same in an argument.
    const places = found.flatMap(({ where }) => (where === undefined ? [] : [where]));
    if (places.length === 0 || !places.every(canBeLeftOut)) return [];
    for (const { kind, name: shown } of places) {
      // Which element of a list it was is chance.
      const hasLists = kind === 'JSON value' || kind === 'GraphQL argument';
      const name = hasLists ? shown.replaceAll(/\[\d+\]/g, '[*]') : shown;
      parts.set(`${kind} ${name}`, { kind, name });
    }
  }
  return [...parts.values()];
}

/** Names are shown, so one that is cut or has other characters is not the name itself. */
function canBeLeftOut({ kind, name }: JudgedPlace): boolean {
  const isWhole = kind.startsWith('XML') ? /^[\p{L}\p{N}_./@: -]+$/u : /^[\p{L}\p{N}_.$[\] -]+$/u;
  return (leftOutKinds as readonly string[]).includes(kind) && isWhole.test(name);
}

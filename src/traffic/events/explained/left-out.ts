/** The arguments that managed rules can exclude: those that they matched in. */
import { leftOutKinds } from '#request';
import type { FoundMatch, JudgedPlace } from '../judged/judged.ts';

export interface LeftOut {
  readonly kind: string;
  readonly name: string;
}

/** The relevant parts of a rule. */
interface RuleMatches {
  readonly found?: readonly FoundMatch[] | undefined;
}

/** The arguments that the rules matched in; none if one of the rules matched only elsewhere. */
export function listLeftOut(rules: readonly RuleMatches[]): readonly LeftOut[] {
  const parts = new Map<string, LeftOut>();
  for (const { found = [] } of rules) {
    // A match in a whole body has no name; another part of the rule may have matched in an argument.
    const places = found.flatMap(({ where }) => (where === undefined ? [] : [where]));
    if (places.length === 0 || !places.every(canBeLeftOut)) return [];
    for (const { kind, name: shown } of places) {
      // The index of a list element is arbitrary.
      const hasLists = kind === 'JSON value' || kind === 'GraphQL argument';
      const name = hasLists ? shown.replaceAll(/\[\d+\]/g, '[*]') : shown;
      parts.set(`${kind} ${name}`, { kind, name });
    }
  }
  return [...parts.values()];
}

/** Names are shown, so a truncated or escaped name is not the name itself. */
function canBeLeftOut({ kind, name }: JudgedPlace): boolean {
  const isWhole = kind.startsWith('XML') ? /^[\p{L}\p{N}_./@: -]+$/u : /^[\p{L}\p{N}_.$[\] -]+$/u;
  return (leftOutKinds as readonly string[]).includes(kind) && isWhole.test(name);
}

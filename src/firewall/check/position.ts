/** Where a rule shall stand. */
import { idCharactersMax } from '../limits.ts';
import type { Position, RulesetRule } from '../model.ts';
import type { Place } from './place.ts';

/** `rules` are those that it shall stand among, without the rule itself if it only moves. */
export function checkPosition(place: Place, rules: readonly RulesetRule[]): Position | undefined {
  if (!place.isObjectOf(['before', 'after', 'index'])) return undefined;
  if (place.keys()?.length !== 1) {
    return place.refuse('bad_position', 'it must have exactly one of before, after and index');
  }
  const before = readNeighbour(place.at('before'), rules);
  if (before !== undefined) return { before };
  const after = readNeighbour(place.at('after'), rules);
  if (after !== undefined) return { after };
  const indexPlace = place.at('index');
  const index = indexPlace.wholeNumber({ min: -Infinity, max: Infinity });
  if (index === undefined) return undefined;
  if (index >= 1 && index <= rules.length + 1) return { index };
  return indexPlace.refuse('bad_position', `the index must be from 1 to ${rules.length + 1}`);
}

function readNeighbour(place: Place, rules: readonly RulesetRule[]): string | undefined {
  const id = place.text({ charactersMax: idCharactersMax });
  if (id === undefined || id === '' || rules.some((rule) => rule.id === id)) return id;
  return place.refuse('bad_position', 'the ruleset has no other rule with this id');
}

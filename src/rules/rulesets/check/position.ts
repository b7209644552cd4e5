/** Checks the position of a rule. */
import { type Shaped, unread } from '#shapes';
import type { position } from '../bodies.ts';
import type { Position, RulesetRule } from '../model.ts';
import type { BodyField } from '../problem.ts';

/** The range of an index depends on the ruleset. */
const anyInteger = unread({ type: 'integer' });

/** `rules` are the rules to place it among, without the rule itself if it only moves. */
export function checkPosition(
  field: BodyField<Shaped<typeof position>>,
  rules: readonly RulesetRule[],
): Position | undefined {
  if (!field.hasOnlyKnownFields()) return undefined;
  if (field.keys()?.length !== 1) {
    return field.refuse('badPosition', 'it must have exactly one of before, after and index');
  }
  const before = readNeighbour(field.at('before'), rules);
  if (before !== undefined) return { before };
  const after = readNeighbour(field.at('after'), rules);
  if (after !== undefined) return { after };
  const indexField = field.at('index');
  const index = indexField.as(anyInteger).read() as number | undefined;
  if (index === undefined) return undefined;
  if (index >= 1 && index <= rules.length + 1) return { index };
  return indexField.refuse('badPosition', `the index must be from 1 to ${rules.length + 1}`);
}

function readNeighbour(field: BodyField<string>, rules: readonly RulesetRule[]): string | undefined {
  const id = field.read();
  if (id === undefined || id === '' || rules.some((rule) => rule.id === id)) return id;
  return field.refuse('badPosition', 'the ruleset has no other rule with this id');
}

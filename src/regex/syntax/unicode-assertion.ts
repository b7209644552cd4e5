import { alternate, type Assertion, concat, type Tree } from './tree.ts';
import { unicodePerlClass } from './unicode-set.ts';

type Side = 'ahead' | 'notAhead' | 'otherAhead' | 'behind' | 'notBehind' | 'otherBehind';

let looks: Readonly<Record<Side, Tree>> | undefined;

/**
 * Looks for a word character on one side, for none, or for another character or the end: bytes that are no
 * character are neither. The same six serve all patterns, so that an engine asks each once.
 */
function wordLooks(): NonNullable<typeof looks> {
  if (looks !== undefined) return looks;
  const part = unicodePerlClass('w').toTree();
  const other = unicodePerlClass('W').toTree();
  const otherOr = (assertion: Assertion): Tree => alternate([other, { kind: 'assert', assertion }]);
  looks = {
    ahead: { kind: 'look', ahead: true, negative: false, part },
    notAhead: { kind: 'look', ahead: true, negative: true, part },
    otherAhead: { kind: 'look', ahead: true, negative: false, part: otherOr('end') },
    behind: { kind: 'look', ahead: false, negative: false, part },
    notBehind: { kind: 'look', ahead: false, negative: true, part },
    otherBehind: { kind: 'look', ahead: false, negative: false, part: otherOr('start') },
  };
  return looks;
}

/** An assertion where words are made of characters: the bytes on both sides cannot tell, so they are looked at whole. */
export function unicodeAssertion(assertion: Assertion): Tree {
  switch (assertion) {
    case 'word': {
      const { ahead, notAhead, behind, notBehind } = wordLooks();
      return alternate([concat([behind, notAhead]), concat([notBehind, ahead])]);
    }
    case 'not-word': {
      const { ahead, otherAhead, behind, otherBehind } = wordLooks();
      return alternate([concat([behind, ahead]), concat([otherBehind, otherAhead])]);
    }
    case 'word-start':
      return concat([wordLooks().notBehind, wordLooks().ahead]);
    case 'word-end':
      return concat([wordLooks().behind, wordLooks().notAhead]);
    case 'word-start-half':
      return wordLooks().otherBehind;
    case 'word-end-half':
      return wordLooks().otherAhead;
    default:
      return { kind: 'assert', assertion };
  }
}

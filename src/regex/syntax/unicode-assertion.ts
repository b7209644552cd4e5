import { alternate, type Assertion, concat, type Tree } from './tree.ts';
import { unicodePerlClass } from './unicode-set.ts';

let looks: Readonly<Record<'ahead' | 'notAhead' | 'behind' | 'notBehind', Tree>> | undefined;

/** Looks for a word character on one side. The same four serve all patterns, so that an engine asks each once. */
function wordLooks(): NonNullable<typeof looks> {
  if (looks !== undefined) return looks;
  const part = unicodePerlClass('w').toTree();
  looks = {
    ahead: { kind: 'look', ahead: true, negative: false, part },
    notAhead: { kind: 'look', ahead: true, negative: true, part },
    behind: { kind: 'look', ahead: false, negative: false, part },
    notBehind: { kind: 'look', ahead: false, negative: true, part },
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
      const { ahead, notAhead, behind, notBehind } = wordLooks();
      return alternate([concat([behind, ahead]), concat([notBehind, notAhead])]);
    }
    case 'word-start':
      return concat([wordLooks().notBehind, wordLooks().ahead]);
    case 'word-end':
      return concat([wordLooks().behind, wordLooks().notAhead]);
    case 'word-start-half':
      return wordLooks().notBehind;
    case 'word-end-half':
      return wordLooks().notAhead;
    default:
      return { kind: 'assert', assertion };
  }
}

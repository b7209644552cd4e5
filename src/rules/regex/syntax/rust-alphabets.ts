import { ByteSet } from './byte-set.ts';
import type { PatternSpan } from './pattern-error.ts';
import { type Alphabet, valueOf } from './rust-class.ts';
import type { Primitive } from './rust-cursor.ts';
import { unicodePerlClass, unicodeProperty, UnicodeSet } from './unicode-set.ts';

/** Receives the parts that cannot be translated; Rust's regex reports them after all syntax errors. */
export type Report = (reason: string, span: PatternSpan) => void;

/** Classes of bytes, as without `u`: bytes beyond ASCII can be listed only as `\xHH`. */
export function byteAlphabet(report: Report): Alphabet<ByteSet> {
  const isByte = (item: Primitive): boolean => {
    if (item.kind === 'byte' || (item.kind === 'character' && item.codePoint <= 0x7f)) return true;
    report('Unicode not allowed here', item);
    return false;
  };
  return {
    empty: () => new ByteSet(),
    fromBytes: (set) => set,
    addItem(set, item) {
      if (item.kind === 'set') set.addAll(item.set);
      else if (isByte(item)) set.add(valueOf(item));
    },
    addRange(set, first, last) {
      if (isByte(first) && isByte(last)) set.addRange(valueOf(first), valueOf(last));
    },
  };
}

/** Classes of characters, as with `u`. */
export function unicodeAlphabet(ignoreCase: boolean, report: Report): Alphabet<UnicodeSet> {
  return {
    empty: () => new UnicodeSet(),
    fromBytes: (set) => UnicodeSet.fromBytes(set),
    addItem(set, item) {
      if (item.kind === 'set') set.addAll(unicodePerlClass(item.letter));
      else if (item.kind === 'unicode-class') set.addAll(unicodeClassOf(item, ignoreCase, report));
      else set.addRange(valueOf(item), valueOf(item));
    },
    addRange(set, first, last) {
      set.addRange(valueOf(first), valueOf(last));
    },
  };
}

/** The characters of `\p{...}`; for `\P{...}` all others, after case folding if case is ignored. */
export function unicodeClassOf(
  item: Extract<Primitive, { kind: 'unicode-class' }>,
  ignoreCase: boolean,
  report: Report,
): UnicodeSet {
  const set = unicodeProperty(item.name);
  if (typeof set === 'string') {
    report(set, item);
    return new UnicodeSet();
  }
  const folded = ignoreCase ? set.foldedCase() : set;
  return item.isNegated ? folded.negated() : folded;
}

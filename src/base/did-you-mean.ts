/** `: did you mean x?` when one of the names is close to what was written, nothing otherwise. */
export function didYouMean(written: string, names: Iterable<string>): string {
  let best: string | undefined;
  // Two slips in a long word, one in a short one.
  let distanceBest = written.length > 4 ? 2 : 1;
  for (const name of names) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance > distanceBest || (distance === distanceBest && best !== undefined)) continue;
    best = name;
    distanceBest = distance;
  }
  return best === undefined ? '' : `: did you mean ${best}?`;
}

/** How many letters to insert, delete, replace or swap with their neighbour to come from one word to the other. */
function editDistance(from: string, to: string): number {
  let rowBefore: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? rowBefore[j - 2]! + 1 : Infinity;
      next.push(Math.min(replaced, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    rowBefore = row;
    row = next;
  }
  return row[to.length]!;
}

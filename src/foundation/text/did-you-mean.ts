/** Returns `: did you mean x?` if one of the names is close to the written one, otherwise an empty string. */
export function didYouMean(written: string, names: Iterable<string>): string {
  let best: string | undefined;
  // A long word may have two typing errors, a short one only one.
  let distanceBest = written.length > 4 ? 2 : 1;
  for (const name of names) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance > distanceBest || (distance === distanceBest && best !== undefined)) continue;
    best = name;
    distanceBest = distance;
  }
  return best === undefined ? '' : `: did you mean ${best}?`;
}

/** The number of letters to insert, delete, replace or swap with a neighbour to turn one word into the other. */
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

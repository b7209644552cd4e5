/** Rendezvous hashing: an object is where its key and the name of a database give the highest number. */

/** Which of several databases fits an object best, by the hashes of their names and of its key. */
export function chooseDatabase(databases: readonly number[], object: number): number {
  let best = 0;
  let bestScore = -1;
  for (let index = 0; index < databases.length; index++) {
    const score = mix(object ^ databases[index]!);
    if (score <= bestScore) continue;
    best = index;
    bestScore = score;
  }
  return best;
}

/** FNV-1a of the characters of a name or a key. It is part of where objects are: it never changes. */
export function hashName(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Spreads every bit over all of them, as at the end of MurmurHash3. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * One question in place of many: whether any of the patterns is found. A text seldom has what a list of patterns looks for,
 * and asking each of them takes several times as long.
 */
export function isAnyIn(patterns: readonly RegExp[]): (text: string) => boolean {
  const joined = ['', 'i'].map((flags) =>
    join(
      patterns.filter((pattern) => pattern.flags === flags),
      flags,
    ),
  );
  return (text) => joined.some((pattern) => pattern?.test(text) === true);
}

function join(patterns: readonly RegExp[], flags: string): RegExp | undefined {
  if (patterns.length === 0) return undefined;
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), flags);
}

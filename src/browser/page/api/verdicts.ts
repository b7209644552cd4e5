/** The outcomes of requests: several actions of rules have the same outcome. */
export const verdicts = [
  { name: 'block', label: 'Blocked', color: '--bad', actions: ['block'] },
  {
    name: 'challenge',
    label: 'Challenged',
    color: '--warn',
    actions: ['challenge', 'jschallenge', 'js_challenge', 'managed_challenge'],
  },
  { name: 'log', label: 'Logged', color: '--info', actions: ['log', 'simulate'] },
  // Skipped, allowed, bypassed, and passed challenges.
  { name: 'pass', label: 'Let through', color: '--good', actions: [] },
] as const;

export type Verdict = (typeof verdicts)[number]['name'];

export function findVerdict(action: string): Verdict {
  return verdicts.find(({ actions }) => (actions as readonly string[]).includes(action))?.name ?? 'pass';
}

interface ActionCount {
  readonly value: string | number;
  readonly count: number;
}

/** Those that occur, most frequent first, with the actions that occur in each. */
export function listVerdicts(actions: readonly ActionCount[]) {
  const byVerdict = Map.groupBy(actions, ({ value }) => findVerdict(String(value)));
  return verdicts
    .flatMap(({ name, label }) => {
      const same = byVerdict.get(name);
      if (same === undefined) return [];
      return [
        {
          label,
          count: same.reduce((sum, { count }) => sum + count, 0),
          actions: same.map(({ value }) => String(value)),
        },
      ];
    })
    .toSorted((a, b) => b.count - a.count);
}

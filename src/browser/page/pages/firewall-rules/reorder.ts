/**
 * Moving a rule in the order of evaluation. Rules with a priority come first, the smallest number first; then those
 * without, ordered by action. So a rule can only be at a chosen place if every rule before it has a smaller number.
 */
import { moveItem } from '../rules/listed-rule.ts';

export interface Ranked {
  readonly id: string;
  readonly priority: number | null;
}

/** Leaves gaps for rules that are moved or added later. */
const step = 10;

/** The priorities to write, in an order in which a partial execution leaves the start of the list as wanted. */
export function planMove(
  rules: readonly Ranked[],
  from: number,
  to: number,
): readonly { readonly id: string; readonly priority: number }[] {
  const wanted = moveItem(rules, from, to);
  const between = findPriorityBetween(wanted[to - 1], wanted[to + 1]);
  if (between !== undefined) return [{ id: wanted[to]!.id, priority: between }];
  let last = to;
  while (last + 1 < wanted.length && !isAbove(wanted[last + 1]!, step * (last + 1))) last++;
  return wanted
    .slice(0, last + 1)
    .map(({ id, priority }, index) => ({ id, priority: step * (index + 1), before: priority }))
    .filter(({ priority, before }) => priority !== before)
    .map(({ id, priority }) => ({ id, priority }));
}

function isAbove({ priority }: Ranked, bound: number): boolean {
  return priority === null || priority > bound;
}

/** A number that puts a rule between these two without changing others; undefined if there is none. */
function findPriorityBetween(previous: Ranked | undefined, next: Ranked | undefined): number | undefined {
  if (previous?.priority === null) return undefined;
  const low = previous?.priority ?? 0;
  if (next === undefined || next.priority === null)
    return low + step <= 2_147_483_647 ? low + step : undefined;
  const middle = Math.floor((low + next.priority) / 2);
  return middle > low && middle < next.priority ? middle : undefined;
}

/** Decides between rules of equal priority and between those without one: the first comes first. */
const precedence = ['log', 'bypass', 'allow', 'challenge', 'managed_challenge', 'js_challenge', 'block'];

/** The id of the rule in force that would follow the draft; null if the draft would be the last. */
export function findNext(
  rules: readonly (Ranked & {
    readonly action: string;
    readonly paused: boolean;
    readonly created_on: string;
  })[],
  ruleId: string | undefined,
  draft: { readonly priority: string; readonly action: string },
): string | null {
  const edited = rules.find(({ id }) => id === ruleId);
  const rank = toRank(draft.priority.trim() === '' ? null : Number(draft.priority), draft.action);
  const next = rules.find(({ id, paused, priority, action, created_on }) => {
    if (paused || id === ruleId) return false;
    const other = toRank(priority, action);
    if (other[0] !== rank[0]) return other[0] > rank[0];
    if (other[1] !== rank[1]) return other[1] > rank[1];
    // Of equals the older comes first; an unsaved one is the newest.
    return edited !== undefined && created_on > edited.created_on;
  });
  return next?.id ?? null;
}

function toRank(priority: number | null, action: string): readonly [number, number] {
  return [priority ?? Infinity, precedence.indexOf(action)];
}

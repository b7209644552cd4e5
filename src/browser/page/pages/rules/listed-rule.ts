/** Rules as lists of them show them, whatever kind they are of. */

export interface ListedRule {
  readonly id: string;
  readonly description: string | undefined;
  /** Undefined if the filter that had it was deleted. */
  readonly expression: string | undefined;
  readonly action: string;
  readonly isPaused: boolean;
  /** Since when it has been as it is. */
  readonly since: { readonly word: 'created' | 'changed'; readonly at: string };
  /** What stands beside the action. */
  readonly rank?: string;
  /** What else keeps it from acting, in a word. */
  readonly hindrance?: string | undefined;
}

/** What can be done to the rules of a list. Each is refused if somebody else has changed the rule or the order meanwhile. */
export interface RuleChanges {
  /** Pauses a rule, or resumes it. */
  readonly pause: (ruleId: string, reason: string) => Promise<unknown>;
  readonly remove: (ruleId: string, reason: string) => Promise<unknown>;
  readonly move: (place: { readonly from: number; readonly to: number }, reason: string) => Promise<unknown>;
}

/** What people know a rule by. */
export function nameOf({ description, expression }: Pick<ListedRule, 'description' | 'expression'>): string {
  return description || expression || 'A rule whose filter was deleted';
}

export function hasWords(rule: ListedRule, words: string): boolean {
  const text = `${rule.description ?? ''} ${rule.expression ?? ''} ${rule.action}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from]!);
}

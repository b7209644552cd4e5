/** Rules in the form of lists, whatever their kind. */

export interface ListedRule {
  readonly id: string;
  readonly description: string | undefined;
  /** Undefined if its filter was deleted. */
  readonly expression: string | undefined;
  readonly action: string;
  readonly isPaused: boolean;
  /** The time of the last change. */
  readonly since: { readonly word: 'created' | 'changed'; readonly at: string };
  /** The text beside the action. */
  readonly rank?: string;
  /** Another reason why it does not act, in a word. */
  readonly hindrance?: string | undefined;
}

/** The actions on the rules of a list. Each is refused if another user has changed the rule or the order meanwhile. */
export interface RuleChanges {
  /** Pauses a rule, or resumes it. */
  readonly pause: (ruleId: string, reason: string) => Promise<unknown>;
  readonly remove: (ruleId: string, reason: string) => Promise<unknown>;
  readonly move: (place: { readonly from: number; readonly to: number }, reason: string) => Promise<unknown>;
}

/** The name of a rule for users. */
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

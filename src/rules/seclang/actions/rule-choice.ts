/** The rules that an action or a directive refers to. */
export type RuleChoice =
  | { readonly by: 'id'; readonly first: number; readonly last: number }
  | { readonly by: 'tag'; readonly matches: (tag: string) => boolean }
  | { readonly by: 'message'; readonly matches: (message: string) => boolean };

interface ChosenRule {
  readonly id: number;
  readonly tags: readonly string[];
  readonly message: string;
}

export function isChosen(choice: RuleChoice, { id, tags, message }: ChosenRule): boolean {
  if (choice.by === 'id') return id >= choice.first && id <= choice.last;
  return choice.by === 'tag' ? tags.some((tag) => choice.matches(tag)) : choice.matches(message);
}

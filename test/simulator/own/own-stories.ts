import type { ClassOptions } from '#objects';
import type { Story } from '#simulator';

/** What objects of ours promise, as a story that fails if they do not keep it. */
export interface OwnStory {
  readonly classes: Readonly<Record<string, ClassOptions>>;
  readonly env?: object;
  readonly story: Story;
}

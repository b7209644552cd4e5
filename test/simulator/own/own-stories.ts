import type { ClassOptions } from '#objects';
import type { Story } from '#simulator';

/** The promises of our own objects, as a story that fails if they are broken. */
export interface OwnStory {
  readonly classes: Readonly<Record<string, ClassOptions>>;
  readonly env?: object;
  readonly story: Story;
}

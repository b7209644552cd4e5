/** The failure of a life. */
import { isLoss } from '../chances/losses.ts';
import type { Operation } from '../history.ts';

export class StoryFailure {
  /** `wrong`: an invariant does not hold, or code threw. */
  readonly kind: 'wrong' | 'stuck' | 'endless';
  readonly text: string;
  readonly cause: unknown;

  private constructor(kind: StoryFailure['kind'], text: string, cause?: unknown) {
    this.kind = kind;
    this.text = text;
    this.cause = cause;
  }

  /** `isOver`: no more faults occur, so nothing can be lost. */
  static from(error: unknown, { isOver }: { readonly isOver: boolean }): StoryFailure {
    const text = error instanceof Error ? error.message : String(error);
    const hint =
      !isOver && isLoss(error)
        ? '\nThe story itself made a call that was lost: catch that, give the object { retries }, or await world.settle() first.'
        : '';
    return new StoryFailure('wrong', `${text}${hint}`, error);
  }

  static stuck(open: readonly Operation[]): StoryFailure {
    return new StoryFailure(
      'stuck',
      `${describeOpen(open)} never ends: it waits for something that nothing in the simulation will do`,
    );
  }

  static endless(open: readonly Operation[]): StoryFailure {
    return new StoryFailure(
      'endless',
      `${describeOpen(open)} goes on without an end: an alarm or a timer that sets itself again at once, or a loop of awaits`,
    );
  }

  /** Whether two failures appear to have the same cause. */
  isLike(other: StoryFailure): boolean {
    return this.kind === other.kind && withoutNumbers(this.text) === withoutNumbers(other.text);
  }
}

function describeOpen(open: readonly Operation[]): string {
  if (open.length === 0) return 'the story';
  return open.map(({ number, name }) => `step ${number} (${name})`).join(', ');
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, '#').split('\n')[0]!;
}

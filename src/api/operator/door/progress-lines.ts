/** Merges progress lines with the items of an answer, in order of arrival. */
import type { Progress } from '#objects';

export class ProgressLines {
  #lines: string[] = [];
  #added = Promise.withResolvers<'progress'>();

  add(progress: Progress): void {
    this.#lines.push(`${JSON.stringify({ progress })}\n`);
    this.#added.resolve('progress');
  }

  get added(): Promise<'progress'> {
    return this.#added.promise;
  }

  take(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    this.#added = Promise.withResolvers();
    return lines;
  }
}

export async function* mergeProgress<T>(
  items: AsyncIterator<T, void>,
  progress: ProgressLines,
): AsyncGenerator<T | string, void> {
  try {
    let next = items.next();
    for (;;) {
      if ((await Promise.race([next, progress.added])) === 'progress') {
        yield* progress.take();
        continue;
      }
      const { done, value } = await next;
      if (done === true) return;
      yield value;
      next = items.next();
    }
  } finally {
    await items.return?.();
  }
}

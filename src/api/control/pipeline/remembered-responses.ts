/**
 * Caches the text of responses to reads until the next write to the object that answered: pollers and dashboards repeat
 * the same calls. The size is bounded; the least recently used response is dropped first.
 *
 * An object reports a write before the write is on disk. From then on calls go to the object, whose answers wait for
 * the disk. So a cached response is never older than an acknowledged write. A response that was in progress at that
 * time is stored under the generation in which it was requested, where it is no longer looked up.
 */
import type { WrittenResponse } from '#contract';
import { RecentMap } from '#base';
import type { Call } from '../context/handler.ts';
import { rememberedCharactersMax } from '../context/limits.ts';

interface Remembered extends WrittenResponse {
  readonly body: string;
}

export class RememberedResponses {
  readonly #answers = new RecentMap<string, Remembered>({
    sizeMax: rememberedCharactersMax,
    sizeOf: ({ body }, key) => key.length + body.length,
  });
  /** The number of writes to each object. */
  readonly #generations = new Map<string, number>();

  invalidate(objectName: string): void {
    this.#generations.set(objectName, (this.#generations.get(objectName) ?? 0) + 1);
  }

  /** Returns the cached response to the same call, or calls `ask`. `directory` is the version of the directory. */
  async answer(
    objectName: string,
    { operation, input, directory }: Pick<Call, 'operation' | 'input'> & { readonly directory: string },
    ask: () => Promise<WrittenResponse>,
  ): Promise<WrittenResponse> {
    const generation = this.#generations.get(objectName) ?? 0;
    const key = `${objectName} ${generation} ${directory} ${operation} ${JSON.stringify(input)}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = await ask();
    if (answer.status === 200 && answer.body !== null && !this.#answers.has(key))
      this.#answers.set(key, { ...answer, body: answer.body });
    return answer;
  }
}

/**
 * Answers to reads, kept as the text they were sent as until the next write of the object that gave them: pollers and
 * dashboards ask the same again and again. Bounded by what it holds; the one asked for longest ago goes first.
 *
 * An object says that it was written to before the write is on disk, and from then on questions go to the object, whose answers wait
 * for the disk. So what is remembered is never older than a write that somebody was told of. An answer that was under way
 * meanwhile is kept under the generation it was asked in, where nobody looks for it any more.
 */
import type { WrittenAnswer } from '#api';
import type { Call } from '../context/handler.ts';
import { rememberedCharactersMax } from '../context/limits.ts';

export class RememberedAnswers {
  readonly #answers = new Map<string, string>();
  /** How often each object was written to. */
  readonly #generations = new Map<string, number>();
  #characters = 0;

  changed(objectName: string): void {
    this.#generations.set(objectName, (this.#generations.get(objectName) ?? 0) + 1);
  }

  /** The answer to the same question, or the one that `ask` gives. `revision` is that of the directory. */
  async answer(
    objectName: string,
    { operation, input, revision }: Pick<Call, 'operation' | 'input'> & { readonly revision: number },
    ask: () => Promise<WrittenAnswer>,
  ): Promise<WrittenAnswer> {
    const generation = this.#generations.get(objectName) ?? 0;
    const key = `${objectName} ${generation} ${revision} ${operation} ${JSON.stringify(input)}`;
    const known = this.#answers.get(key);
    if (known !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, known);
      return { status: 200, body: known };
    }
    const answer = await ask();
    if (answer.status === 200 && answer.body !== null && !this.#answers.has(key))
      this.#keep(key, answer.body);
    return answer;
  }

  #keep(key: string, body: string): void {
    this.#answers.set(key, body);
    this.#characters += key.length + body.length;
    for (const [oldest, { length }] of this.#answers) {
      if (this.#characters <= rememberedCharactersMax) break;
      this.#answers.delete(oldest);
      this.#characters -= oldest.length + length;
    }
  }
}

/**
 * Answers to reads, kept as the text they were sent as until the object's next write: pollers and dashboards ask the same
 * again and again. Bounded by what it holds; the one asked for longest ago goes first.
 */
import type { WrittenAnswer } from '#v4';
import { rememberedBytesMax } from './limits.ts';

export class RememberedAnswers {
  readonly #answers = new Map<string, WrittenAnswer>();
  #characters = 0;

  get(key: string): WrittenAnswer | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  keep(key: string, answer: WrittenAnswer): void {
    this.#characters += sizeOf(key, answer);
    this.#answers.set(key, answer);
    for (const [oldest, { body }] of this.#answers) {
      if (this.#characters <= rememberedBytesMax) break;
      this.#answers.delete(oldest);
      this.#characters -= oldest.length + (body?.length ?? 0);
    }
  }

  forget(): void {
    this.#answers.clear();
    this.#characters = 0;
  }
}

function sizeOf(key: string, { body }: WrittenAnswer): number {
  return key.length + (body?.length ?? 0);
}

/** An object whose random life is driven from outside, step by step; each host of the recovery tests loads it. */
import { DurableObject } from '#objects';
import { Random } from '../faults/random.ts';
import { type Dump, dumpOf, randomChange } from '../objects/workload.ts';

export class Patient extends DurableObject {
  async change(seed: number, step: number): Promise<void> {
    await randomChange(Random.of(seed, step), step)({ storage: this.ctx.storage } as never);
  }

  async observe(): Promise<{ bookmark: string; dump: Dump }> {
    const { storage } = this.ctx;
    return { bookmark: await storage.getCurrentBookmark(), dump: await dumpOf({ storage }) };
  }

  /** Requests a restore for its next start, and restarts at once. */
  async restore(bookmark: string): Promise<string> {
    return await this.ctx.storage.onNextSessionRestoreBookmark(bookmark);
  }

  async bookmarkForTime(time: number): Promise<string> {
    return await this.ctx.storage.getBookmarkForTime(time);
  }

  alarm(): never {
    throw new Error('an alarm of a random life is never due');
  }

  abort(): never {
    return this.ctx.abort('to begin again');
  }
}

export const classes = { Patient: { class: Patient, storage: 'sql' } } as const;

/** Objects whose module cannot be loaded while a file is there. */
import { existsSync } from 'node:fs';
import { DurableObject } from '#objects';

class Fragile extends DurableObject {
  pid(): number {
    return process.pid;
  }

  async increment(): Promise<number> {
    const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
    await this.ctx.storage.put('value', value);
    return value;
  }
}

/** The data is the path of the file. */
export function classes(data: unknown): Record<string, { class: typeof Fragile }> {
  if (existsSync(data as string)) throw new Error('the obstacle is in the way');
  class Loaded extends Fragile {
    data(): unknown {
      return data;
    }
  }
  return { Fragile: { class: Loaded } };
}

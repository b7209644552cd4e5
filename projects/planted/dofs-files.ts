/** A file system in tables. */
import { DurableObject } from 'cloudflare:workers';
import { Fs } from 'dofs';
import { defineSimulation } from 'gatehouse/testing';

class Disk extends DurableObject {
  fs = new Fs(this.ctx, this.env, { chunkSize: 64 });

  async write(path: string, text: string): Promise<void> {
    await this.fs.writeFile(path, text);
  }

  async read(path: string): Promise<string> {
    return new TextDecoder().decode(this.fs.read(path));
  }
}

export const sample = defineSimulation({ classes: { Disk } }, async (world) => {
  const acknowledged: string[] = [];
  await world.run({
    write: async (step) => {
      const path = `/${step.number}`;
      await step.object('Disk', 'a').write(path, `${step.number} `.repeat(50));
      acknowledged.push(path);
    },
  });
  await world.settle();
  for (const path of acknowledged) {
    const text = await world.object('Disk', 'a').read(path);
    if (text !== `${path.slice(1)} `.repeat(50))
      throw new Error('a file was written, and something else is read');
  }
});

/**
 * A separate process, so that its memory can be measured: very many key-value objects in one directory through the
 * library. Prints a line of JSON per step.
 *
 *     node bench/many-objects.ts <directory> <count> <reads>
 */
import { createRuntime, DurableObject } from '../src/runtime/objects.ts';
import { median } from './result.ts';

const BATCH = 1000;
const STEPS = 10;

class Small extends DurableObject {
  async write(n: number): Promise<void> {
    await this.ctx.storage.put({ n, label: `object ${n}` });
  }

  async read(): Promise<number | undefined> {
    return this.ctx.storage.get<number>('n');
  }
}

const [directory, count, reads] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];
const open = () => createRuntime({ directory, classes: { Small: { class: Small, storage: 'kv' } } });
const print = (line: object): void => console.log(JSON.stringify(line));
const residentMb = (): number => process.memoryUsage.rss() / 1e6;

let runtime = await open();
const residentMbSeen = [];
const start = performance.now();
for (let from = 0; from < count; from += BATCH) {
  const small = runtime.namespace<Small>('Small');
  const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => from + i);
  await Promise.all(numbers.map((n) => small.getByName(`object-${n}`).write(n)));
  if ((from / BATCH) % Math.max(1, Math.floor(count / BATCH / STEPS)) === 0)
    residentMbSeen.push(residentMb());
}
print({ createSeconds: (performance.now() - start) / 1000, residentMbSeen, residentMb: residentMb() });
await runtime.close();

const reopenStart = performance.now();
runtime = await open();
await runtime.namespace<Small>('Small').getByName('object-0').read();
print({ reopenMs: performance.now() - reopenStart });

const times = [];
for (let i = 0; i < reads; i++) {
  const n = (i * 7919 + 13) % count;
  const readStart = performance.now();
  const found = await runtime.namespace<Small>('Small').getByName(`object-${n}`).read();
  times.push((performance.now() - readStart) * 1000);
  if (found !== n) throw new Error(`object ${n} has ${found}`);
}
print({ readMicroseconds: median(times), verified: reads, residentMb: residentMb() });
await runtime.close();

import { DurableObject } from '#objects';
import { simulate } from '../simulate.ts';

class Looping extends DurableObject {
  loop(): never {
    for (;;);
  }
}

await simulate({ classes: { Looping: { class: Looping, storage: 'kv' } }, faults: [], hangMs: 1_000 }, async (world) => {
  await world.object('Looping', 'a').loop();
});

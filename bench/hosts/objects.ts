/** The objects that the benchmark of hosts calls. */
import { DurableObject } from '../../src/runtime/objects.ts';

class Echo extends DurableObject {
  echo(value: unknown): unknown {
    return value;
  }
}

export const classes = { Echo: { class: Echo, storage: 'sql' } } as const;

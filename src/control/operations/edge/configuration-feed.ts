/**
 * The configurations of all zones as lines of JSON: each as it is now, `complete` with the ids of all, then each again whenever it
 * may have changed. What changes faster than the reader reads is left out but for its last state. An empty line says now
 * and then that the stream is still there, and ends it when its reader may no longer read.
 */
import type { Timer } from '#base';
import type { ObjectsContext } from '../several-objects.ts';
import { grantsOf, tokenOf } from '../../context/caller.ts';
import { stateOf } from '../../context/token.ts';

const heartbeatMs = 15_000;

export async function* configurationStream(context: ObjectsContext): AsyncGenerator<string, void> {
  const { activity, directory } = context;
  const changed = new Set<string>(directory.zones.keys());
  const bell = new Bell();
  using _changes = disposed(
    context.onChange((zoneId) => {
      changed.add(zoneId);
      bell.ring();
    }),
  );
  const end = new AbortController();
  using _end = disposed(
    activity.beforeEnd(() => {
      end.abort();
      bell.ring();
    }),
  );
  let isComplete = false;
  while (!end.signal.aborted && mayListen(context)) {
    for (const zoneId of changed) {
      changed.delete(zoneId);
      yield await lineOf(context, zoneId);
    }
    if (!isComplete) yield line({ kind: 'complete', zones: [...context.directory.zones.keys()] });
    isComplete = true;
    if (!(await bell.heard(activity.clock, heartbeatMs))) yield '\n';
  }
}

async function lineOf(context: ObjectsContext, zoneId: string): Promise<string> {
  const configuration = await context.configuration(zoneId);
  return configuration === undefined
    ? line({ kind: 'removed', zone: zoneId })
    : line({ kind: 'configuration', configuration });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function mayListen({ actor, directory, activity }: ObjectsContext): boolean {
  const token = tokenOf({ actor, directory });
  if (token !== undefined && stateOf(token, activity.clock.now()) !== 'active') return false;
  const grants = grantsOf({ actor, directory });
  const { accountId } = directory;
  return grants.allows('accountEdgeRead', accountId) || grants.allows('accountEdgeWrite', accountId);
}

/** Wakes the one who waits; rung before, it does not let them wait. */
class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Answers whether it was rung before the time was over. */
  async heard(clock: ObjectsContext['activity']['clock'], withinMs: number): Promise<boolean> {
    let timer: Timer | undefined;
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      timer = clock.setTimer(clock.now() + withinMs, resolve, 'housekeeping');
      await promise;
    }
    timer?.cancel();
    const wasRung = this.#isRung;
    this.#isRung = false;
    this.#wake = undefined;
    return wasRung;
  }
}

function disposed(stop: () => void): Disposable {
  return { [Symbol.dispose]: stop };
}

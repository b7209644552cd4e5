/** The operator calls of a Worker: about its objects, and its clock if that is virtual. */
import { realClock, VirtualClock } from '#base';
import type { HttpAnswer } from '#listeners';
import type { ObjectRuntime } from '#objects';
import type { OperatorHandlers } from '#operator';
import type { WorkerOptions } from '../options.ts';
import { moveClock, showClock } from './virtual-time.ts';

/** Its modules are loaded at an operator's first call: most programs never need them. */
export function answerOperators(
  { log, clock = realClock }: WorkerOptions,
  directory: string,
  runtime: ObjectRuntime,
): HttpAnswer {
  let loaded: Promise<HttpAnswer> | undefined;
  const load = async (): Promise<HttpAnswer> => {
    const { answerDoor, createDirectoryHandlers } = await import('#operator');
    const handlers = {
      ...createDirectoryHandlers({ directory, runtime, clock }),
      ...(clock instanceof VirtualClock ? await createClockHandlers(clock) : {}),
    };
    return answerDoor({ handlers, onError: (error) => log.error(error) });
  };
  return async (incoming, outgoing) => {
    loaded ??= load();
    const answer = await loaded;
    await answer(incoming, outgoing);
  };
}

async function createClockHandlers(
  clock: VirtualClock,
): Promise<Pick<OperatorHandlers, 'clock.get' | 'clock.move'>> {
  const { fault, ok, operatorCodes } = await import('#contract');
  return {
    'clock.get': async () => ok(showClock(clock)),
    async 'clock.move'(_call, { body }) {
      const moved = await moveClock(clock, body);
      if (typeof moved === 'string') throw fault(operatorCodes.clockRefused, { fill: { reason: moved } });
      return ok(moved);
    },
  };
}

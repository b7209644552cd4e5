/**
 * One run of a simulated cluster: hosts, a database, clients, and everything that can go wrong, in the order of a seed.
 * The same seed gives the same run. At the end, the results of the clients are checked against the logs.
 */
import { type CounterOperation, checkCounter } from '../check-counter.ts';
import { type Plant, SimulatedDatabase } from './simulated-database.ts';
import { SimulatedHost, leaseMs, stuckMs } from './simulated-host.ts';
import { SimulatedTime } from './simulated-time.ts';

const hostCount = 3;
const objects = ['a', 'b'];
const runMs = 8_000;

export interface Run {
  /** Results that no client may see, in words. */
  readonly problems: readonly string[];
  readonly acknowledged: number;
  /** How often a living host lost its lease. */
  readonly replaced: number;
  /** The same for the same seed. */
  readonly trace: number;
}

export interface SimulateOptions {
  readonly plant?: Plant;
  /** The faults: all, or only that hosts compute for longer than their leases, within the limit. */
  readonly faults?: 'all' | 'computing';
}

export async function simulate(
  seed: number,
  { plant = 'none', faults = 'all' }: SimulateOptions = {},
): Promise<Run> {
  const time = new SimulatedTime(seed);
  const database = new SimulatedDatabase(time, plant);
  let hostNumber = 0;
  let replaced = 0;
  const startHost = (): SimulatedHost => {
    const host = new SimulatedHost(time, {
      database,
      plant,
      createId: () => `host ${++hostNumber}`,
      onReplaced: () => replaced++,
    });
    void host.start();
    return host;
  };
  const hosts = Array.from({ length: hostCount }, startHost);
  const operations: CounterOperation[] = [];

  const call = (): void => {
    const host = hosts[time.pick(hostCount)]!;
    const object = objects[time.pick(objects.length)]!;
    const kind = time.chance(0.5) ? 'increment' : 'read';
    const number = operations.length + 1;
    const operation: CounterOperation = {
      number,
      kind,
      object,
      begunAt: time.now,
      endedAt: 0,
      value: undefined,
    };
    operations.push(operation);
    // A stopped process accepts no calls.
    if (!host.isRunning) return;
    const answer = kind === 'increment' ? host.increment(object, number) : host.read(object);
    answer.then(
      (value) => {
        operation.value = value;
        operation.endedAt = time.now;
      },
      () => {},
    );
  };
  const keepCalling = (): void => {
    call();
    time.after(time.between(1, 40), keepCalling);
  };
  const keepBreaking = (): void => {
    if (faults === 'all') breakSomething(time, { database, hosts, startHost });
    else hosts[time.pick(hostCount)]!.computeFor(time.between(leaseMs, stuckMs - leaseMs));
    time.after(time.between(50, 900), keepBreaking);
  };
  time.after(0, keepCalling);
  time.after(100, keepBreaking);
  await time.runUntil(runMs);
  const problems = objects.flatMap((object) =>
    checkCounter(object, database.logs.get(object) ?? [], operations),
  );
  const acknowledged = operations.filter(({ value }) => value !== undefined).length;
  return { problems, acknowledged, replaced, trace: time.trace };
}

function breakSomething(
  time: SimulatedTime,
  {
    database,
    hosts,
    startHost,
  }: {
    readonly database: SimulatedDatabase;
    readonly hosts: SimulatedHost[];
    readonly startHost: () => SimulatedHost;
  },
): void {
  const index = time.pick(hostCount);
  const host = hosts[index]!;
  switch (time.pick(8)) {
    case 0:
    case 1:
      return host.stopFor(time.between(10, 3 * leaseMs));
    case 2:
      host.kill();
      hosts[index] = startHost();
      return;
    case 3:
      database.clockOffset += time.between(-2, 3) * leaseMs;
      return;
    case 4:
    case 5:
      return host.computeFor(time.between(10, stuckMs + 2 * leaseMs));
    default:
      // A connection to the database that loses many messages for a while.
      host.lossProbability = 0.5;
      time.after(time.between(10, 600), () => {
        host.lossProbability = 0.01;
      });
  }
}

/** The world of one life: the interface that its story uses. */
import type { DurableObjectState, DurableObjectStub, Runtime } from '#objects';
import type { SimulationPlan } from './story/simulation-plan.ts';
import { isLoss } from './chances/losses.ts';
import type { Circumstances, Network, Stream } from './surroundings/network.ts';
import type { Operation } from './history.ts';
import type { Delivery, Outside } from './surroundings/outside.ts';
import { showShort } from './story/timeline.ts';
import type { Cast } from './options.ts';
import type { Participant, ObjectOptions, Operations, RunOptions, Step, World } from './world.ts';

const stepsDefault = 20;
const clientsDefault = 3;
/** The maximum time between the starts of two operations of a client, unless the first takes longer. */
const thinkMsMax = 60;
const retryMsMax = 200;

/** The life in which the story runs. */
export interface Stage extends Circumstances {
  readonly network: Network;
  readonly outside: Outside;
  readonly runtime: Runtime;
  /** Stubs of objects that clients have called, until a fault ends them. */
  readonly stubs: Map<string, unknown>;
  readonly parts: { readonly cast: Cast; readonly plan: SimulationPlan };
}

class LifeParticipant implements Participant {
  protected readonly life: Stage;
  /** The purpose of its random draws. */
  readonly #purpose: string;
  readonly #who: string;

  constructor(life: Stage, purpose: string, who: string) {
    this.life = life;
    this.#purpose = purpose;
    this.#who = who;
  }

  object<T>(className: string, name: string, { retries = 0 }: ObjectOptions = {}): DurableObjectStub<T> {
    const stream: Stream = { caller: this.#who, purpose: this.#purpose, arrivedMs: 0 };
    const call = (method: string, args: readonly unknown[]): Promise<unknown> =>
      this.#call({ className, name, retries, stream }, method, args);
    return new Proxy(Object.create(null) as object, {
      get: (_target, property) => {
        if (property === 'id') return this.life.runtime.namespace(className).idFromName(name);
        if (property === 'name') return name;
        // A handle must not look like a promise when it is awaited.
        if (typeof property !== 'string' || property === 'then') return undefined;
        return (...args: unknown[]) => call(property, args);
      },
    }) as DurableObjectStub<T>;
  }

  whole(min: number, max: number): number {
    return this.life.chance.whole(this.#purpose, min, max);
  }

  chance(probability: number): boolean {
    return this.life.chance.next(this.#purpose) < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)]!;
  }

  sleep(ms: number): Promise<void> {
    return this.life.time.wait(ms);
  }

  now(): number {
    return this.life.time.now();
  }

  async #call(
    target: { className: string; name: string; retries: number; stream: Stream },
    method: string,
    args: readonly unknown[],
  ): Promise<unknown> {
    const { network, runtime, stubs, time, timeline } = this.life;
    for (let attempt = 0; ; attempt++) {
      const { className, name } = target;
      const stub = stubs.getOrInsertComputed(`${className} ${name}`, () =>
        runtime.namespace(className).getByName(name),
      ) as Record<string, (...args: unknown[]) => Promise<unknown>>;
      try {
        network.stream = target.stream;
        const answer = stub[method]!(...args);
        network.stream = undefined;
        return await answer;
      } catch (error) {
        // A stub that has seen its object end keeps that error.
        stubs.delete(`${className} ${name}`);
        if (attempt >= target.retries || !isLoss(error)) throw error;
        timeline?.add(this.#who, 'tries again');
        await time.wait(this.life.chance.between(`${this.#purpose} retry`, 0, retryMsMax));
      } finally {
        network.stream = undefined;
      }
    }
  }
}

class LifeStep extends LifeParticipant implements Step {
  readonly number: number;
  readonly client: string;

  constructor(life: Stage, number: number, client: string) {
    super(life, `step ${number}`, client);
    this.number = number;
    this.client = client;
  }
}

export class LifeWorld extends LifeParticipant implements World {
  readonly seed: number;
  readonly history: Operation[] = [];
  readonly stepsTaken: number[] = [];
  #stepsMade = 0;

  constructor(life: Stage) {
    super(life, 'story', 'story');
    this.seed = life.parts.plan.seed;
  }

  get deliveries(): readonly Delivery[] {
    return this.life.outside.deliveries;
  }

  get openOperations(): readonly Operation[] {
    return this.history.filter(({ outcome }) => outcome === 'open');
  }

  async run(operations: Operations, options: RunOptions = {}): Promise<void> {
    const { steps = stepsDefault, clients = clientsDefault } = options;
    const names = Object.keys(operations);
    if (names.length === 0) throw new TypeError('world.run() takes an object of operations: it has none');
    const queues = Array.from({ length: clients }, (): LifeStep[] => []);
    for (let index = 0; index < steps; index++) {
      const number = ++this.#stepsMade;
      const client = Math.floor(this.life.chance.of('client', number) * clients);
      const step = new LifeStep(this.life, number, `client ${client + 1}`);
      queues[client]!.push(step);
    }
    const beginMs = this.life.time.passedMs;
    await Promise.all(
      queues.map(async (queue) => {
        // Each step has a fixed time, whichever earlier ones are left out, so that it overlaps the same other steps.
        let atMs = beginMs;
        for (const step of queue) {
          atMs += this.life.chance.of('think', step.number) * thinkMsMax;
          if (this.life.parts.plan.steps?.has(step.number) === false) continue;
          await step.sleep(Math.max(0, atMs - this.life.time.passedMs));
          const name = names[Math.floor(this.life.chance.of('operation', step.number) * names.length)]!;
          await this.#take(step, name, operations[name]!);
        }
      }),
    );
  }

  async settle(): Promise<void> {
    this.life.faults.end();
    const { parts, time } = this.life;
    await time.wait(parts.cast.settleMs + time.setBackMs);
  }

  async inside<T>(
    className: string,
    name: string,
    // oxlint-disable-next-line typescript/no-explicit-any -- any class
    body: (instance: any, ctx: DurableObjectState) => T,
  ): Promise<Awaited<T>> {
    const { runtime } = this.life;
    return await runtime.runInside(runtime.namespace(className).idFromName(name), body);
  }

  async #take(step: LifeStep, name: string, operation: Operations[string]): Promise<void> {
    const { time, timeline } = this.life;
    const { input, run } =
      typeof operation === 'function' ? { input: () => undefined, run: operation } : operation;
    const taken: Operation = {
      number: step.number,
      client: step.client,
      name,
      input: input(step),
      begunMs: time.passedMs,
      endedMs: Infinity,
      outcome: 'open',
      output: undefined,
    };
    this.history.push(taken);
    this.stepsTaken.push(step.number);
    timeline?.add(
      step.client,
      `begins ${name}${taken.input === undefined ? '' : ` ${showShort(taken.input)}`}`,
    );
    try {
      taken.output = await run(step, taken.input);
      taken.outcome = 'done';
      taken.endedMs = time.passedMs;
      time.mark(`${name} ${typeof taken.output === 'number' ? taken.output : showShort(taken.output)}`);
      timeline?.add(
        step.client,
        `ends ${name}${taken.output === undefined ? '' : `: ${showShort(taken.output)}`}`,
      );
    } catch (error) {
      if (!isLoss(error)) throw error;
      taken.outcome = 'unknown';
      timeline?.add(step.client, `does not know whether ${name} is done: ${(error as Error).message}`);
    }
  }
}

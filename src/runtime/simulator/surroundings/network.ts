/**
 * The network between callers and objects: each call takes a while, and the call or its answer may be lost. Calls of
 * one stub arrive in order, as documented; those of different stubs in any order.
 */
import type { Simulation } from '#objects';
import type { LinkEntry, Side } from '#rpc';
import { type Chance, hash } from '../chances/chance.ts';
import type { Faults } from '../chances/faults.ts';
import { lostText } from '../chances/losses.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { showShort, type Timeline } from '../story/timeline.ts';

type CallRoute = Simulation['route'];
type Routed = Parameters<CallRoute>[0];

const latencyMsMax = 8;
const slowMsMax = 400;
const slowLikelihood = 0.05;

/** What decides about everything around the objects of a life. */
export interface Circumstances {
  readonly chance: Chance;
  readonly faults: Faults;
  readonly time: SimulatedTime;
  readonly timeline: Timeline | undefined;
}

export interface NetworkParts extends Circumstances {
  /** Called with the name of each object when it is first reached. */
  readonly onObject: (object: Routed, label: string) => void;
}

/** Calls whose order is kept. */
export interface Stream {
  readonly caller: string;
  /** The name of its decisions: the same in a story without other steps. */
  readonly purpose: string;
  arrivedMs: number;
}

export class Network {
  readonly #parts: NetworkParts;
  /** For each pair of caller and callee: a number, and how many calls there were. */
  readonly #calls = new Map<string, { readonly about: number; count: number }>();
  /** The source of the calls that are being made, if it is not an object. */
  stream: Stream | undefined;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  readonly route: CallRoute = (object, caller) => {
    const label = labelOf(object);
    this.#parts.onObject(object, label);
    const own = this.#createStream(caller);
    const entry = object.open();
    const side = (holder: Side, what: () => string): Side => ({
      enter: (body) => holder.enter(body),
      reach: (message) => {
        const stream = this.stream ?? own;
        return holder.reach(() => this.#pass(stream, label, what, message));
      },
    });
    return {
      address: object.address,
      hold: () => entry.hold(),
      release: () => entry.release(),
      call: (holder, path, args, transport) =>
        entry.call(
          side(holder, () => describeCall(path, args)),
          path,
          args,
          transport,
        ),
      fetch: (holder, request) =>
        entry.fetch(
          side(holder, () => `${request.method} ${request.url}`),
          request,
        ),
    } satisfies LinkEntry;
  };

  #createStream(described: string | undefined): Stream {
    const caller = described === undefined ? 'story' : nameOf(described);
    return { caller, purpose: caller, arrivedMs: 0 };
  }

  async #pass<T>(stream: Stream, label: string, what: () => string, message: () => Promise<T>): Promise<T> {
    const { chance, faults, time, timeline } = this.#parts;
    const { caller, purpose } = stream;
    const calls = this.#calls.getOrInsertComputed(`${purpose} → ${label}`, startCount);
    const number = ++calls.count;
    const about = calls.about + number;
    const name = (): string => `${purpose} → ${label} ${number}`;
    timeline?.add(caller, `calls ${label}.${what()}`);
    // Both are decided in advance, so that a story is the same without one of them.
    const isRequestLost = faults.strikes('lostRequest', name, about);
    const isAnswerLost = faults.strikes('lostAnswer', name, about);
    stream.arrivedMs = Math.max(stream.arrivedMs, time.passedMs + drawLatency(chance, 'there', about));
    await time.wait(stream.arrivedMs - time.passedMs);
    if (isRequestLost) {
      timeline?.add(caller, `its call of ${label}.${what()} is lost on the way`, { isFault: true });
      throw createLostError();
    }
    try {
      const answer = await message();
      await time.wait(drawLatency(chance, 'back', about));
      if (!isAnswerLost) timeline?.add(caller, `gets ${showShort(answer)} from ${label}.${what()}`);
      if (!isAnswerLost) return answer;
    } catch (error) {
      await time.wait(drawLatency(chance, 'back', about));
      if (!isAnswerLost) timeline?.add(caller, `gets an error from ${label}.${what()}: ${String(error)}`);
      if (!isAnswerLost) throw error;
    }
    timeline?.add(caller, `never hears the answer of ${label}.${what()}`, { isFault: true });
    throw createLostError();
  }
}

function startCount(route: string): { readonly about: number; count: number } {
  return { about: hash(route, 0), count: 0 };
}

export function drawLatency(chance: Chance, purpose: string, about: number): number {
  const drawn = chance.of(purpose, about);
  if (drawn < slowLikelihood) return (drawn / slowLikelihood) * slowMsMax;
  return ((drawn - slowLikelihood) / (1 - slowLikelihood)) * latencyMsMax;
}

function createLostError(): Error {
  // It has no origin in the code, and capturing a stack takes as long as the call.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return Object.assign(new Error(lostText), { retryable: true });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function labelOf({ address: { className, id, name } }: Routed): string {
  return `${className} ${name ?? id?.slice(0, 8)}`;
}

/** The name in a runtime's description of an object: the class, the id, and the name in parentheses. */
function nameOf(described: string): string {
  const [, className, id, name] = /^(\S+) ([0-9a-f]+)(?: \((.*)\))?$/s.exec(described) ?? [];
  return className === undefined ? described : `${className} ${name ?? id!.slice(0, 8)}`;
}

function describeCall(path: readonly string[], args: readonly unknown[] | undefined): string {
  if (args === undefined) return path.join('.');
  return `${path.join('.')}(${args.map(showShort).join(', ')})`;
}

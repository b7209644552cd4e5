/** Common invariants, checked when a story is over. Each throws with the violation. */
import type { Operation } from './history.ts';
import type { Delivery } from './surroundings/outside.ts';
import { showShort } from './story/timeline.ts';

/** The sequential behaviour of one object. */
export interface Model<State> {
  readonly start: State;
  /** Returns the state after an operation, and its result. States are compared as JSON, and are not modified. */
  readonly apply: (
    state: State,
    operation: { readonly name: string; readonly input: unknown },
  ) => { readonly state: State; readonly output: unknown };
}

/** More operations are not compared: the number of possible orders grows too fast. */
const operationsMax = 60;
const statesMax = 200_000;

/**
 * Throws unless the operations have an order that explains every result: each happens between its begin and its end,
 * one with an unknown end at any time after its begin, or never.
 */
export function checkLinearizable<State>(history: readonly Operation[], model: Model<State>): void {
  if (history.length > operationsMax)
    throw new RangeError(`checkLinearizable() takes at most ${operationsMax} operations: ${history.length}`);
  const seen = new Set<string>();
  const search = (left: readonly Operation[], state: State): boolean => {
    if (left.every(({ outcome }) => outcome !== 'done')) return true;
    const key = `${left.map(({ number }) => number).join()} ${JSON.stringify(state)}`;
    if (seen.has(key)) return false;
    if (seen.size >= statesMax)
      throw new RangeError('checkLinearizable() has tried too many orders: use fewer steps');
    seen.add(key);
    const firstEnd = Math.min(...left.map(({ endedMs }) => endedMs));
    return left.some((operation) => {
      if (operation.begunMs > firstEnd) return false;
      const after = model.apply(state, operation);
      if (operation.outcome === 'done' && !isSame(after.output, operation.output)) return false;
      return search(
        left.filter((other) => other !== operation),
        after.state,
      );
    });
  };
  if (search(history, model.start)) return;
  const shown = history.map(
    ({ client, name, input, outcome, output }) =>
      `  ${client}: ${name}${input === undefined ? '' : ` ${showShort(input)}`} → ${outcome === 'done' ? showShort(output) : 'unknown'}`,
  );
  throw new Error(`no order of the operations explains their answers\n${shown.join('\n')}`);
}

export interface EffectOptions {
  /** The effect of a request; undefined if it has none. */
  readonly effect: (delivery: Delivery) => string | undefined;
  readonly key?: (delivery: Delivery) => string | null | undefined;
}

/**
 * Throws if an effect outside happened more than once: by requests that name the same effect and have different keys,
 * or none. Requests with the same key count once, as for a service that supports idempotency keys.
 */
export function checkAtMostOnce(
  deliveries: readonly Delivery[],
  { effect, key = ({ headers }) => headers.get('idempotency-key') }: EffectOptions,
): void {
  const keys = new Map<string, Set<unknown>>();
  for (const delivery of deliveries) {
    const name = effect(delivery);
    if (name === undefined) continue;
    const known = keys.get(name) ?? new Set();
    keys.set(name, known.add(key(delivery) ?? delivery));
  }
  for (const [name, known] of keys)
    if (known.size > 1) throw new Error(`the effect ${name} was brought about ${known.size} times`);
}

/**
 * Throws if an effect outside happened more than once, as `checkAtMostOnce`, or if one of those that were promised
 * (acknowledged by the objects, say) never happened.
 */
export function checkExactlyOnce(
  deliveries: readonly Delivery[],
  { promised, ...options }: EffectOptions & { readonly promised: Iterable<string> },
): void {
  checkAtMostOnce(deliveries, options);
  const seen = new Set(deliveries.map(options.effect));
  for (const name of promised)
    if (!seen.has(name)) throw new Error(`the effect ${name} was promised and never brought about`);
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

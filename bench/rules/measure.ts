/** Separate code for every measurement: V8 then specialises its calls, as in a server that calls one list. */
type Loop = (body: (call: number) => void, calls: number) => void;

let loops = 0;

function freshLoop(): Loop {
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func
  return new Function(
    'body',
    'calls',
    `for (let call = 0; call < calls; call++) body(call); // ${loops++}`,
  ) as Loop;
}

/**
 * The shortest time of several rounds, in nanoseconds per call: the cost without interference. `prepare` runs before
 * each round and does not count.
 */
export function nsPerCall(
  calls: number,
  rounds: number,
  body: (call: number) => void,
  prepare: () => void = () => {},
): number {
  const loop = freshLoop();
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    prepare();
    const start = process.hrtime.bigint();
    loop(body, calls);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / calls);
  }
  return best;
}

export function formatNs(ns: number): string {
  if (ns < 1000) return `${ns < 10 ? ns.toFixed(1) : ns.toFixed(0)} ns`;
  return ns < 1e6 ? `${(ns / 1000).toFixed(2)} µs` : `${(ns / 1e6).toFixed(2)} ms`;
}

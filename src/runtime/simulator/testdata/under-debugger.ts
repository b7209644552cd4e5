/** Repeats a failure with a debugger that stops at every call of the object. Prints how often it did. */
import { deepEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { simulate } from '../simulate.ts';
import { SimulationFailure } from '../story/simulation-failure.ts';
import { count, Counter } from './counter.ts';

class Forgetful extends Counter {
  override async add(added: number): Promise<number> {
    // oxlint-disable-next-line no-debugger -- where the debugger stops
    debugger;
    const before = await this.get();
    await fetch('https://bank.test/');
    await this.ctx.storage.put('value', before + added);
    return before + added;
  }
}

async function fail(replay?: string): Promise<SimulationFailure> {
  const again = replay === undefined ? {} : { replay };
  const classes = { Counter: { class: Forgetful, storage: 'kv' } } as const;
  const failure: unknown = await simulate({ classes, outside: () => new Response(), ...again }, count).catch(
    (error: unknown) => error,
  );
  if (failure instanceof SimulationFailure) return failure;
  throw new Error('the simulation did not fail', { cause: failure });
}

const debuggerThread = `
  const { parentPort } = require('node:worker_threads');
  const session = new (require('node:inspector').Session)();
  session.connectToMainThread();
  let stops = 0;
  session.on('Debugger.paused', ({ params: { callFrames: [{ functionName }] } }) => {
    if (functionName === 'add') stops++;
    session.post('Debugger.resume');
  });
  session.post('Debugger.enable', () => parentPort.postMessage('ready'));
  parentPort.once('message', () => { session.disconnect(); parentPort.postMessage(stops); });
`;

const first = await fail();
const thread = new Worker(debuggerThread, { eval: true });
await once(thread, 'message');
const again = await fail(first.replay);
thread.postMessage('how often?');
const [stops] = (await once(thread, 'message')) as [number];
deepEqual(again.moments, first.moments);
console.log(`stopped ${stops} times`);

/**
 * A judging thread that never finishes a request for `/loop`, and does not count its work. The query names the zone and
 * rule that it reports: `/loop?zone=…&rule=…`.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { noteRule, noteZone, registerWork, workNotes } from '#work';
import type {
  FromThread,
  JudgingThreadData,
  ToThread,
} from '../../src/traffic/edge/judging/thread/thread-messages.ts';

const words = new Int32Array((workerData as JudgingThreadData).words);
const send = (message: FromThread): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(message);
};

parentPort!.on('message', (message: ToThread) => {
  if (message.kind === 'zone') send({ kind: 'compiled', zone: message.zone, problem: undefined });
  if (message.kind !== 'judge') return;
  Atomics.store(words, 0, message.job);
  const { pathname, searchParams } = new URL(message.request.request.target, 'http://shop.example');
  if (pathname === '/loop') {
    noteZone(registerWork(searchParams.get('zone') ?? 'zone-of-loop'));
    noteRule(registerWork(searchParams.get('rule') ?? 'rule-of-loop'));
    for (;;);
  }
  Atomics.store(words, 0, 0);
  const judgement = {
    verdict: { kind: 'pass' },
    triggered: [],
    steps: [],
    isBodyGuarded: false,
    clearance: undefined,
  } as const;
  send({ kind: 'judged', job: message.job, ruling: { judgement, awaitsResponse: false } });
});
send({ kind: 'started', notes: workNotes });

/**
 * The judging thread of an edge: judges slow requests, one at a time, while the main thread serves others. It has its
 * own compiled rules, because they cannot be sent between threads; they are compiled in steps, so that the rules of one
 * zone do not delay the requests of others.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { StepBudget, workNotes, workTurns } from '#work';
import { CompiledZone, type Judgement, type Triggered } from '#firewall';
import { getJudgingCpuMs, getJudgingSteps } from '#rulesets';
import { managedParts, prepareCoreRules, replaceCoreRules } from '#managed';
import { restoreGeo } from '../geo.ts';
import { countBodyBytes, judgeReadings } from '../judge-readings.ts';
import { explainRequest } from '../request-events.ts';
import type { JudgedRequest } from '../judged-request.ts';
import type {
  FromThread,
  JudgingThreadData,
  ThreadRequest,
  ThreadRuling,
  ToThread,
} from './thread-messages.ts';

const { coreRules, words: buffer } = workerData as JudgingThreadData;
const words = new Int32Array(buffer);
const zones = new Map<number, CompiledZone>();
const isPrepared = replaceCoreRules(coreRules).then(prepareCoreRules);

parentPort!.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'zone':
      return void compileZone(message);
    case 'forget':
      return void zones.delete(message.zone);
    case 'judge':
      return judge(message);
  }
});
send({ kind: 'started', notes: workNotes });

async function compileZone({ zone, configuration }: Extract<ToThread, { kind: 'zone' }>): Promise<void> {
  try {
    await isPrepared;
    zones.set(zone, await workTurns.run(CompiledZone.compileInPieces(configuration, managedParts)));
    send({ kind: 'compiled', zone, problem: undefined });
  } catch (error) {
    send({ kind: 'compiled', zone, problem: String(error) });
  }
}

function judge({ job, zone, request }: Extract<ToThread, { kind: 'judge' }>): void {
  Atomics.store(words, 0, job);
  try {
    send({ kind: 'judged', job, ruling: judgeRequest(zones.get(zone)!, request) });
  } catch (error) {
    send({ kind: 'failed', job, problem: String(error) });
  } finally {
    Atomics.store(words, 0, 0);
  }
}

function judgeRequest(zone: CompiledZone, { geo, response, ...read }: ThreadRequest): ThreadRuling {
  const bytes = countBodyBytes(read);
  const createBudget = (): StepBudget =>
    new StepBudget(getJudgingSteps(bytes), { cpuMsMax: getJudgingCpuMs(bytes) });
  let judged = judgeReadings(zone, { ...read, geo: restoreGeo(geo) }, { budget: createBudget() });
  if (response !== undefined)
    judged = { ...judged, judgement: zone.judgeResponse(judged.judgement, response, createBudget()) };
  return toRuling(judged);
}

function toRuling(judged: JudgedRequest): ThreadRuling {
  const { responseRules, ...judgement } = judged.judgement;
  return {
    judgement: withoutFilters(judgement),
    awaitsResponse: responseRules !== undefined,
    ...(judgement.triggered.length === 0 ? {} : { explanation: explainRequest(judged) }),
  };
}

function withoutFilters({ verdict, triggered, ...judgement }: Judgement): Judgement {
  return {
    ...judgement,
    triggered: triggered.map(withoutFilter),
    verdict:
      verdict.kind === 'block' || verdict.kind === 'challenge'
        ? { ...verdict, by: withoutFilter(verdict.by) }
        : verdict,
  };
}

function withoutFilter({ filter: _filter, score, ...rule }: Triggered): Triggered {
  if (score === undefined) return rule;
  const contributions = score.contributions.map(({ filter: _ofRule, ...contribution }) => contribution);
  return { ...rule, score: { ...score, contributions } };
}

function send(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(message);
}

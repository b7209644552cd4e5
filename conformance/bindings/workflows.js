/** Questions about workflows. What a run has seen is what it returns; `flows` has the code of each question. */
import { WorkflowEntrypoint } from 'cloudflare:workers';
import { NonRetryableError } from 'cloudflare:workflows';
import { describe, how, outcome } from '../modules/describe.js';

/** How often a question looks for the end of an instance. */
const looksMax = 400;
const quick = { retries: { limit: 2, delay: 1, backoff: 'constant' } };
const once = { retries: { limit: 0, delay: 1 } };

/** What attempts of a step share: both runtimes have one isolate. */
const counts = new Map();

function count(name) {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts.get(name);
}

class OrderError extends Error {
  name = 'OrderError';
  code = 'E_ORDER';
}

function fail(message) {
  throw new Error(message);
}

async function ended(instance) {
  for (let looks = 0; looks < looksMax; looks++) {
    const status = await instance.status();
    if (['complete', 'errored', 'terminated'].includes(status.status)) return shown(status);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return 'not ended';
}

function shown({ status, output, error }) {
  return { status, output, error: error && { name: error.name, message: error.message } };
}

async function reached(instance, wanted) {
  for (let looks = 0; looks < looksMax; looks++) {
    if (wanted.includes((await instance.status()).status)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`the instance never became ${wanted.join(' or ')}`);
}

/** Runs the code and answers with how the instance ended. */
const ran = (run, meanwhile) => ({
  run,
  async ask({ FLOW }, name) {
    const instance = await FLOW.create({ id: name, params: { question: name } });
    await meanwhile?.(instance);
    return await ended(instance);
  },
});

/** Asks something of the binding. */
const asked = (ask, run = () => 'done') => ({ run, ask });

/** What a step rejects with, as the run sees it. */
const rejected = (work) => ran(async (event, step) => (await outcome(() => work(step, event))).error);

const questions = {
  'a step': ran((event, step) => step.do('one', () => 1)),
  'steps that use each other': ran(async (event, step) => {
    const first = await step.do('first', async () => ({ list: [1, 2] }));
    return await step.do('second', async () => first.list.length);
  }),
  'a step that returns nothing': ran(async (event, step) => describe(await step.do('none', () => {}))),
  'values of steps': ran(async (event, step) =>
    describe(
      await step.do('values', () => ({
        date: new Date(5),
        map: new Map([[1, new Set(['a'])]]),
        bytes: new Uint8Array([1, 2]),
        nothing: undefined,
      })),
    ),
  ),
  'context of a step': ran(async (event, step) => {
    const seen = [];
    await step.do('same', (context) => void seen.push(context));
    await step.do('same', { timeout: '5 minutes' }, (context) => void seen.push(context));
    await step.do('retried', quick, (context) => void seen.push(context));
    return seen.map(({ step: about, attempt, config }) => [
      about,
      attempt,
      config.timeout,
      config.retries.limit,
      config.retries.backoff,
    ]);
  }),
  'steps at the same time': ran((event, step) =>
    Promise.all(['a', 'b', 'c'].map((name) => step.do(name, async () => name))),
  ),
  'a step in a step': ran((event, step) =>
    step.do('outer', async () => [await step.do('inner', () => 'inner'), 'outer']),
  ),
  'the event': ran(async ({ payload, timestamp, instanceId, workflowName }) => [
    payload,
    timestamp instanceof Date,
    instanceId,
    workflowName,
  ]),
  'the second attempt': ran(async (event, step) =>
    step.do('retried', quick, ({ attempt }) => (attempt < 2 ? fail('not yet') : attempt)),
  ),
  'how often a step is tried': ran(async (event, step) => {
    const name = event.instanceId;
    await step.do('fails', quick, () => fail(`number ${count(name)}`)).catch(() => {});
    return counts.get(name);
  }),
  'how often with a limit of 0': ran(async (event, step) => {
    const name = event.instanceId;
    await step.do('fails', once, () => fail(`number ${count(name)}`)).catch(() => {});
    return counts.get(name);
  }),
  'error of a step': rejected((step) => step.do('fails', once, () => fail('broken'))),
  'TypeError of a step': rejected((step) =>
    step.do('fails', once, () => {
      throw new TypeError('broken');
    }),
  ),
  'error of a class of the program': rejected((step) =>
    step.do('fails', once, () => {
      throw new OrderError('no stock');
    }),
  ),
  'a text is thrown in a step': rejected((step) =>
    step.do('fails', once, () => {
      // oxlint-disable-next-line no-throw-literal
      throw 'a text';
    }),
  ),
  'NonRetryableError that is caught': rejected((step) =>
    step.do('fails', quick, () => {
      throw new NonRetryableError('never');
    }),
  ),
  'NonRetryableError that is not caught': ran((event, step) =>
    step.do('fails', quick, () => {
      throw new NonRetryableError('never');
    }),
  ),
  'how often NonRetryableError is tried': ran(async (event, step) => {
    const name = event.instanceId;
    const work = () => {
      count(name);
      throw new NonRetryableError('never');
    };
    await step.do('fails', quick, work).catch(() => {});
    return counts.get(name);
  }),
  'properties of NonRetryableError': ran(async () => [
    describe(new NonRetryableError('a')),
    describe(new NonRetryableError('a', 'Own')),
    new NonRetryableError('a') instanceof Error,
  ]),
  'NonRetryableError with a name': ran((event, step) =>
    step.do('fails', quick, () => {
      throw new NonRetryableError('never', 'Own');
    }),
  ),
  'NonRetryableError outside of a step': ran(() => {
    throw new NonRetryableError('never');
  }),
  'a timeout of a step': rejected((step) =>
    step.do('slow', { timeout: 20, ...once }, () => new Promise(() => {})),
  ),
  'an error of a step that is not caught': ran((event, step) => step.do('fails', once, () => fail('broken'))),
  'an error of run': ran(() => fail('broken')),
  'an error of a class of run': ran(() => {
    throw new OrderError('no stock');
  }),
  'a text is thrown by run': ran(() => {
    // oxlint-disable-next-line no-throw-literal
    throw 'a text';
  }),
  'a function as the result of a step': ran((event, step) => step.do('function', () => () => 1)),
  'a BigInt as the result of run': ran((event, step) => step.do('big', () => 10n)),
  'nothing as the result of run': ran(() => {}),
  'a step without a function': rejected((step) => step.do('none')),
  'a step whose name is too long': rejected((step) => step.do('x'.repeat(257), () => 1)),
  'a step whose name has 256 characters': ran((event, step) => step.do('x'.repeat(256), () => 1)),
  'a step with a line break in its name': rejected((step) => step.do('a\nb', () => 1)),
  ...Object.fromEntries(
    Object.entries({
      'retries without a delay': { retries: { limit: 1 } },
      'retries without a limit': { retries: { delay: 1 } },
      'a limit of -1': { retries: { limit: -1, delay: 1 } },
      'an unknown backoff': { retries: { limit: 1, delay: 1, backoff: 'random' } },
      'a delay that is no duration': { retries: { limit: 1, delay: 'soon' } },
      'a timeout of 0': { timeout: 0 },
      'a timeout that is no duration': { timeout: 'long' },
      'an unknown key': { retry: 1 },
    }).map(([name, config]) => [name, rejected((step) => step.do('configured', config, () => 1))]),
  ),
  'a limit of Infinity': ran((event, step) =>
    step.do('retried', { retries: { limit: Infinity, delay: 1, backoff: 'linear' } }, ({ attempt }) =>
      attempt < 4 ? fail('not yet') : attempt,
    ),
  ),
  'a delay that is a function': ran(async (event, step) => {
    const seen = [];
    const delay = ({ ctx, error }) => {
      seen.push([ctx.step.name, ctx.attempt, error.message]);
      return 1;
    };
    await step.do('retried', { retries: { limit: 2, delay } }, ({ attempt }) =>
      attempt < 3 ? fail(`attempt ${attempt}`) : attempt,
    );
    return seen;
  }),
  'a delay function that throws': rejected((step) =>
    step.do('retried', { retries: { limit: 2, delay: () => fail('no idea') } }, () => fail('broken')),
  ),
  'a sleep': ran(async (event, step) => {
    const began = Date.now();
    const slept = await step.sleep('nap', 100);
    return [describe(slept), Date.now() - began >= 100];
  }),
  'a sleep as text': ran(async (event, step) => describe(await step.sleep('nap', '1 second'))),
  sleepUntil: ran(async (event, step) => {
    const until = Date.now() + 100;
    await step.sleepUntil('nap', until);
    await step.sleepUntil('another', new Date(Date.now() + 50));
    return Date.now() >= until;
  }),
  'sleepUntil the past': rejected((step) => step.sleepUntil('nap', Date.now() - 1_000)),
  waitForEvent: ran(
    async (event, step) => {
      const { type, payload, timestamp } = await step.waitForEvent('wait', { type: 'paid' });
      return [type, payload, timestamp instanceof Date];
    },
    (instance) => instance.sendEvent({ type: 'paid', payload: { sum: 5 } }),
  ),
  'events of two types': ran(
    async (event, step) => {
      const second = await step.waitForEvent('second', { type: 'b' });
      const first = await step.waitForEvent('first', { type: 'a' });
      return [first.payload, second.payload];
    },
    async (instance) => {
      await instance.sendEvent({ type: 'a', payload: 1 });
      await instance.sendEvent({ type: 'b', payload: 2 });
    },
  ),
  'two events of a type': ran(
    async (event, step) => {
      const first = await step.waitForEvent('wait', { type: 'a' });
      const second = await step.waitForEvent('wait', { type: 'a' });
      return [first.payload, second.payload];
    },
    async (instance) => {
      await instance.sendEvent({ type: 'a', payload: 1 });
      await instance.sendEvent({ type: 'a', payload: 2 });
    },
  ),
  'waitForEvent that times out': rejected((step) => step.waitForEvent('wait', { type: 'a', timeout: 20 })),
  'create with an id that is not allowed': asked(({ FLOW }) => how(() => FLOW.create({ id: 'a b' }))),
  'create with an id of 101 characters': asked(({ FLOW }) => how(() => FLOW.create({ id: 'a'.repeat(101) }))),
  'create without anything': asked(async ({ FLOW }) => {
    const { id } = await FLOW.create();
    return /^[0-9a-f-]{36}$/.test(id);
  }),
  'create of an id that is there': asked(async ({ FLOW }, name) => {
    await ended(await FLOW.create({ id: name, params: { question: name } }));
    return how(() => FLOW.create({ id: name }).then(({ id }) => id));
  }),
  'get of an id that is not there': asked(({ FLOW }) => how(() => FLOW.get('absent'))),
  get: asked(async ({ FLOW }, name) => {
    await FLOW.create({ id: name, params: { question: name } });
    const instance = await FLOW.get(name);
    return [instance.id, await ended(instance)];
  }),
  createBatch: asked(async ({ FLOW }, name) => {
    const batch = ['a', 'b'].map((each) => ({ id: `${name}-${each}`, params: { question: name } }));
    const instances = await FLOW.createBatch(batch);
    return [instances.map(({ id }) => id), await Promise.all(instances.map(ended))];
  }),
  'createBatch of nothing': asked(({ FLOW }) => how(() => FLOW.createBatch([]))),
  terminate: ran(
    (event, step) => step.sleep('long', '1 hour'),
    async (instance) => {
      await reached(instance, ['running', 'waiting']);
      await instance.terminate();
    },
  ),
  'terminate of one that has ended': asked(async ({ FLOW }, name) => {
    const instance = await FLOW.create({ id: name, params: { question: name } });
    await ended(instance);
    return how(() => instance.terminate());
  }),
  'pause and resume': ran(
    async (event, step) => {
      await step.waitForEvent('wait', { type: 'go' });
      return 'went';
    },
    async (instance) => {
      await reached(instance, ['running', 'waiting']);
      await instance.pause();
      await reached(instance, ['paused']);
      await instance.resume();
      await reached(instance, ['running', 'waiting']);
      await instance.sendEvent({ type: 'go', payload: null });
    },
  ),
  'an event while it is paused': ran(
    async (event, step) => (await step.waitForEvent('wait', { type: 'go' })).payload,
    async (instance) => {
      await reached(instance, ['running', 'waiting']);
      await instance.pause();
      await reached(instance, ['paused']);
      await instance.sendEvent({ type: 'go', payload: 'sent' });
      await instance.resume();
    },
  ),
  'pause of one that has ended': asked(async ({ FLOW }, name) => {
    const instance = await FLOW.create({ id: name, params: { question: name } });
    await ended(instance);
    return [await how(() => instance.pause()), await how(() => instance.resume()), await ended(instance)];
  }),
  'restart of one that has ended': asked(
    async ({ FLOW }, name) => {
      const instance = await FLOW.create({ id: name, params: { question: name } });
      const first = await ended(instance);
      await instance.restart();
      await reached(instance, ['complete']);
      return [first, await ended(instance)];
    },
    (event, step) => step.do('counted', () => count(event.instanceId)),
  ),
  'restart from a step': asked(
    async ({ FLOW }, name) => {
      const instance = await FLOW.create({ id: name, params: { question: name } });
      const first = await ended(instance);
      await instance.restart({ from: { name: 'second' } });
      await reached(instance, ['complete']);
      return [first, await ended(instance)];
    },
    async (event, step) => [
      await step.do('first', () => count(`${event.instanceId} first`)),
      await step.do('second', () => count(`${event.instanceId} second`)),
      await step.do('third', () => count(`${event.instanceId} third`)),
    ],
  ),
  'restart from a step that is not there': asked(async ({ FLOW }, name) => {
    const instance = await FLOW.create({ id: name, params: { question: name } });
    await ended(instance);
    return how(() => instance.restart({ from: { name: 'absent' } }));
  }),
  'a step that is not awaited': ran(async (event, step) => {
    void step.do('left', async () => 'left');
    return 'returned';
  }),
  'the first of a sleep and an event': ran(
    (event, step) =>
      Promise.race([
        step.sleep('long', '1 hour').then(() => 'slept'),
        step.waitForEvent('wait', { type: 'go' }).then(({ payload }) => payload),
      ]),
    (instance) => instance.sendEvent({ type: 'go', payload: 'sent' }),
  ),
};

const titles = Object.keys(questions);

export class Flow extends WorkflowEntrypoint {
  async run(event, step) {
    const question = titles[Number(String(event.payload.question ?? '').split('_')[1])];
    return await questions[question]?.run(event, step);
  }
}

export const workflowProbes = Object.fromEntries(
  Object.entries(questions).map(([title, { ask }]) => [title, ask]),
);

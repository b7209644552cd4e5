/** A thread that runs a test file: Vitest's own worker, with a project of Workers in the same realm. */
import { once } from 'node:events';
import { setInterval } from 'node:timers';
import { parentPort, workerData } from 'node:worker_threads';
import { assert, nativeFetch } from '#base';
import { TestProject } from '#tested-projects';
import { type Answer, createPlatformModules, useLightFetch } from '#workers';
import type { ModuleRunner } from 'vite/module-runner';
import type { ThreadSetup } from '../runs.ts';
import type { ThreadData } from '../file-thread.ts';
import { Pulse } from '../pulse.ts';
import { type Hooks, hooksName, keepModules } from '../registry.ts';
import { installNativeHooks } from './native-modules.ts';
import { createTestModule } from './cloudflare-test.ts';
import { functionHeaders } from '../function-headers.ts';

const { vitestWorker, pulse: memory, setupPort } = workerData as ThreadData;
assert(parentPort !== null, 'this module is the main one of a thread');
const port = parentPort;
const pulse = new Pulse(memory);
let runner: ModuleRunner | undefined;

useLightFetch();
installNativeHooks();
const { init, runBaseTests, setupEnvironment } = (await import(
  vitestWorker
)) as typeof import('vitest/worker');
// Up to here, it is the same for all projects.
const [{ setup, functions }] = (await once(setupPort, 'message')) as [ThreadSetup];

async function loadMain(): Promise<Readonly<Record<string, unknown>>> {
  if (!setup.hasMain)
    throw new Error(
      'there is no Worker under test: name its main module in cloudflareTest({ main }), or in the configuration',
    );
  assert(runner !== undefined, 'modules are loaded when Vitest has begun');
  return (await runner.import(setup.workers[0]!.config.main)) as Readonly<Record<string, unknown>>;
}

async function openProject(): Promise<TestProject> {
  const project = await TestProject.open({
    setup,
    code: loadMain,
    answerOf: (number): Answer => callFunction(functions!, number),
    log: (message, error) => console.error(message, ...(error === undefined ? [] : [error])),
  });
  keepModules({
    ...createPlatformModules(project.platform),
    'cloudflare:test': createTestModule(project),
    [hooksName]: {
      beginTest: (name) => pulse.enterTest(name),
      // Tests that never call the Worker pass without it; those that do get the reason why it cannot be loaded.
      loadMain: async () => {
        if (setup.hasMain) await project.load().catch(() => {});
      },
    } satisfies Hooks,
  });
  return project;
}

init({
  post: (message) => port.postMessage(message),
  on: (callback) => void port.on('message', callback),
  off: (callback) => void port.off('message', callback),
  teardown: () => void port.removeAllListeners('message'),
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  onModuleRunner: (created) => {
    runner = created;
  },
  setup: async (context) => {
    pulse.start(setInterval);
    const project = await openProject();
    const tearDown = await setupEnvironment(context);
    return async () => {
      await tearDown();
      await project[Symbol.asyncDispose]();
    };
  },
});

/** Calls a function of the configuration, which is in another thread. */
function callFunction(
  { url, token }: { readonly url: string; readonly token: string },
  number: number,
): Answer {
  return async (request) => {
    const headers = new Headers(request.headers);
    headers.set(functionHeaders.token, token);
    headers.set(functionHeaders.number, String(number));
    headers.set(functionHeaders.url, request.url);
    const body = request.body === null ? null : await request.arrayBuffer();
    const { method } = request;
    const response = await nativeFetch(url, { method, headers, body, redirect: 'manual' });
    if (response.headers.has(functionHeaders.failed))
      throw new Error(`a function of the Vitest configuration has failed: ${await response.text()}`);
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers: response.headers });
  };
}

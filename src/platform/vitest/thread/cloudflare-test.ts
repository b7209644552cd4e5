/** The exports of `cloudflare:test` for one project. */
import type { TestProject } from '#tested-projects';
import { refusedTestNames, testModuleNames } from '../modules/module-names.ts';

export function createTestModule(project: TestProject): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(testModuleNames.map((name) => [name, project[name] as unknown])),
    ...Object.fromEntries(
      Object.entries(refusedTestNames).map(([name, reason]) => [name, refuse(name, reason)]),
    ),
  };
}

/** For a call, or access as an object: throws the reason why it is not supported. */
function refuse(name: string, reason: string): unknown {
  const fail = (): never => {
    throw new Error(`${name} of cloudflare:test is not supported by Gatehouse: ${reason}`);
  };
  return new Proxy(fail, { get: fail, apply: fail });
}

/** The API of a control plane in this process, as a rehearsal reads it. */
import { equal } from 'node:assert/strict';
import type { ReadApi } from '#rehearsal';
import type { Envelope, TestControl } from '../control/harness.ts';

export function createReadApi(control: TestControl): ReadApi {
  const call = async (method: 'GET', path: string): Promise<Envelope> => {
    const answer = await control.call(`${method} ${path}`);
    equal(answer.status, 200, `${path}: ${JSON.stringify(answer.errors)}`);
    return answer;
  };
  return {
    call,
    get: async (path) => (await call('GET', path)).result,
    findZone: async (name) => (await call('GET', `/zones?name=${name}`)).result[0],
  };
}

/** The API of a control plane in this process, as a rehearsal reads it. */
import { Client, fetchFrom } from '#client';
import type { TestControl } from '../control/harness.ts';

export function createReadApi({ control, owner }: TestControl): Client {
  return new Client({
    url: 'http://control.test/client/v4',
    headers: owner,
    fetch: fetchFrom((request) => control.answer(request)),
  });
}

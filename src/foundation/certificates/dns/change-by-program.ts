/** Changes records with a program of the operator: `PROGRAM present|cleanup NAME VALUE`. */
import { execFile } from 'node:child_process';
import { withoutSettings } from '#base';
import { AcmeError } from '../acme/acme-error.ts';
import type { RecordChange } from './record-change.ts';
import { changeMsMax, saidCharactersMax } from './limits.ts';

export function changeByProgram(program: string, { kind, name, value }: RecordChange): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { timeout: changeMsMax, killSignal: 'SIGKILL', env: withoutSettings(process.env) } as const;
  execFile(program, [kind, name, value], options, (error, _output, said) => {
    if (error === null) return resolve();
    const words = said.trim().slice(0, saidCharactersMax) || error.message.slice(0, saidCharactersMax);
    reject(new AcmeError('dns', `${program} could not change the records of ${name}: ${words}`));
  });
  return promise;
}

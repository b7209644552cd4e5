/**
 * The entry of an object process of a deployed Worker. An uncaught error ends only this process: its objects restart
 * from the state on disk.
 */
import { createLog as createJsonLog, type Log } from '#base';
import { startOwn } from '#work';
import type { HostModule } from '#hosts';
import {
  describeError,
  exportWorkerObjects,
  isThrownByWorker,
  limitOutbound,
  prepareWorkerProcess,
} from '#workers';
import type { WorkerSetup } from './worker-messages.ts';

/** Passed through the options of the Worker. */
export type WorkerObjectsData = Pick<WorkerSetup, 'logLevel' | 'outbound'>;

prepareWorkerProcess();
let log: Log | undefined;

export const createLog: HostModule['createLog'] = (data) => {
  const { logLevel } = data as WorkerObjectsData;
  const json = createJsonLog({
    level: logLevel,
    format: 'json',
    write: (line) => void process.stderr.write(line),
  });
  log = json;
  process.on('unhandledRejection', (reason) => report(reason));
  process.on('uncaughtException', (error) => {
    report(error);
    if (!isThrownByWorker(error)) startOwn(() => process.exit(1));
  });
  return (message, error) => json.error(message, error === undefined ? {} : { error });
};

const objects = exportWorkerObjects(report);

export const classes: HostModule['classes'] = (data) => {
  limitOutbound((data as WorkerObjectsData).outbound);
  return typeof objects.classes === 'function' ? objects.classes(data) : objects.classes;
};
export const { createEnv } = objects;

function report(error: unknown): void {
  log?.error('an error in the code of the Worker', { reason: describeError(error) });
}
